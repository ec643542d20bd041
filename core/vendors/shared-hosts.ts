import { parse } from 'tldts'

/**
 * Whether a host serves many owners, so that nothing that is served there proves who owns the rest:
 * `github.com`, `raw.githubusercontent.com`, `herokuapp.com`, `example.com`. A host of one customer
 * below a public suffix (`acme.herokuapp.com`) is that customer's own.
 */
export function isSharedHost(host: string): boolean {
  const domain = toOwnDomain(host)
  return domain === undefined ? isPublicSuffix(host) : isSharedDomain(domain)
}

/** Whether many owners have pages, code or tenants below a registrable domain. */
export function isSharedDomain(domain: string): boolean {
  return (
    EXAMPLE.test(domain) ||
    SHARED_DOMAINS.has(domain) ||
    SHARED_SUFFIXES.has(parse(domain).domain ?? domain)
  )
}

/** Whether a host stands for any host (RFC 2606): `api.example.com`. */
export function isExampleHost(host: string): boolean {
  return EXAMPLE.test(toOwnDomain(host) ?? '')
}

/** Whether everybody can have an address below a mail domain. */
export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.test(domain)
}

/** Whether a suffix is one that anybody registers names below: `co.uk`, `herokuapp.com`. */
export function isPublicSuffix(suffix: string): boolean {
  const { domain, isIcann, isPrivate } = parseHost(suffix)
  return domain === null && (isIcann === true || isPrivate === true)
}

/**
 * Registrable domain of a host, names of the private section of the public suffix list counted as
 * suffixes: `acme.herokuapp.com` of `api.acme.herokuapp.com`. Undefined where there is none.
 */
export function toOwnDomain(host: string): string | undefined {
  return parseHost(host).domain ?? undefined
}

/** Parses a host, or a URL, of which labels may be unknown: `{}` or the matcher's hole. */
export function parseHost(host: string) {
  const filled = fillHoles(host)
  const parsed = parse(filled, { allowPrivateDomains: true })
  return SERVICES.has(parsed.hostname ?? '') ? parse(filled) : parsed
}

/** Suffixes of the private section whose own host is a service. */
const SERVICES: ReadonlySet<string> = new Set(['httpbin.org'])

/** A host with a name that nobody has in the place of what is unknown. */
export function fillHoles(host: string): string {
  return host.replaceAll(HOLES, 'zz0unknown').toLowerCase()
}

/** `{}` in the scanner's URLs, `{name}` in templates, NUL in the matcher's. */
const HOLES = /\{[^{}.]*\}|\0+/g

const EXAMPLE = /^example\.(?:com|net|org)$/

/**
 * Owners share these by path or by a name in front that the public suffix list does not have: code
 * hosts, package registries, mock servers, API markets, social networks.
 */
const SHARED_DOMAINS: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'gitee.com',
  'sourceforge.net',
  'launchpad.net',
  'jsdelivr.net',
  'unpkg.com',
  'npmjs.com',
  'npmjs.org',
  'pypi.org',
  'rubygems.org',
  'packagist.org',
  'crates.io',
  'nuget.org',
  'swaggerhub.com',
  'apiary.io',
  'apiary-mock.com',
  'apiblueprint.org',
  'stoplight.io',
  'readme.io',
  'readme.com',
  'readthedocs.org',
  'postman.com',
  'getpostman.com',
  'pstmn.io',
  'mockable.io',
  'mocky.io',
  'beeceptor.com',
  'webhook.site',
  'rapidapi.com',
  'mashape.com',
  'apigee.net',
  'apis.guru',
  'twitter.com',
  'x.com',
  'facebook.com',
  'instagram.com',
  'linkedin.com',
  'youtube.com',
  'medium.com',
  'reddit.com',
  'discord.gg',
  'discord.com',
  't.me',
  'slack.com',
  'stackoverflow.com',
  'stackexchange.com',
  'google.com',
  'atlassian.net',
  'zendesk.com',
  'freshdesk.com',
])

/** The same by the domain of the registry: names below are customers' or services' of many kinds. */
const SHARED_SUFFIXES: ReadonlySet<string> = new Set(['githubusercontent.com'])

const FREE_MAIL =
  /^(?:g(?:oogle)?mail\.com|(?:outlook|hotmail|live|msn|icloud|me|aol|fastmail|yandex)\.com|yahoo\.[a-z.]+|ymail\.com|proton(?:mail)?\.(?:com|me)|pm\.me|gmx\.[a-z]+|web\.de|mail\.ru|yandex\.ru|qq\.com|163\.com|126\.com|noreply\.github\.com)$/
