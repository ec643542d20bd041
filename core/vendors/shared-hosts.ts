import { parse } from 'tldts'

/**
 * True if a host serves many owners, so that content there does not identify the owner of the host:
 * `github.com`, `raw.githubusercontent.com`, `herokuapp.com`, `example.com`. The host of one
 * customer below a public suffix (`acme.herokuapp.com`) belongs to that customer.
 */
export function isSharedHost(host: string): boolean {
  const domain = findOwnDomain(host)
  return domain === undefined ? isPublicSuffix(host) : isSharedDomain(domain)
}

/** True if many owners have pages, code or tenants below a registrable domain. */
export function isSharedDomain(domain: string): boolean {
  return (
    EXAMPLE_DOMAIN.test(domain) ||
    SHARED_DOMAINS.has(domain) ||
    SHARED_SUFFIXES.has(parse(domain).domain ?? domain)
  )
}

/** True for hosts reserved as placeholders (RFC 2606): `api.example.com`. */
export function isExampleHost(host: string): boolean {
  return EXAMPLE_DOMAIN.test(findOwnDomain(host) ?? '')
}

/** True for mail domains at which anyone can have an address. */
export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.test(domain)
}

/** True if anyone can register names below a suffix: `co.uk`, `herokuapp.com`. */
export function isPublicSuffix(suffix: string): boolean {
  const { domain, isIcann, isPrivate } = parseHost(suffix)
  return domain === null && (isIcann === true || isPrivate === true)
}

/**
 * Returns the registrable domain of a host; names in the private section of the public suffix list
 * count as suffixes: `acme.herokuapp.com` for `api.acme.herokuapp.com`. Undefined if there is none.
 */
export function findOwnDomain(host: string): string | undefined {
  return parseHost(host).domain ?? undefined
}

/** Parses a host or URL, whose unknown labels are `{}` or the matcher's placeholder. */
export function parseHost(host: string) {
  const filled = replaceUnknownLabels(host)
  const parsed = parse(filled, { allowPrivateDomains: true })
  return SERVICE_SUFFIXES.has(parsed.hostname ?? '') ? parse(filled) : parsed
}

/** Suffixes in the private section whose own host is a service. */
const SERVICE_SUFFIXES: ReadonlySet<string> = new Set(['googleapis.com', 'httpbin.org'])

/** Replaces unknown labels of a host by a name that is not in use. */
export function replaceUnknownLabels(host: string): string {
  return host.replaceAll(UNKNOWN_LABELS, 'zz0unknown').toLowerCase()
}

/** `{}` in the scanner's URLs, `{name}` in templates, NUL in the matcher's hosts. */
const UNKNOWN_LABELS = /\{[^{}.]*\}|\0+/g

const EXAMPLE_DOMAIN = /^example\.(?:com|net|org)$/

/**
 * Domains shared by path or by a subdomain that the public suffix list does not contain: code
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

/**
 * Shared domains by the registry's suffix: names below them belong to many customers or services.
 */
const SHARED_SUFFIXES: ReadonlySet<string> = new Set(['githubusercontent.com'])

const FREE_MAIL =
  /^(?:g(?:oogle)?mail\.com|(?:outlook|hotmail|live|msn|icloud|me|aol|fastmail|yandex)\.com|yahoo\.[a-z.]+|ymail\.com|proton(?:mail)?\.(?:com|me)|pm\.me|gmx\.[a-z]+|web\.de|mail\.ru|yandex\.ru|qq\.com|163\.com|126\.com|noreply\.github\.com)$/
