import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { findOwnDomain, isSharedDomain } from '../../vendors/shared-hosts.ts'
import type { RawFinding, SourceFile } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { looksLikeApi } from '../noise/noise.ts'
import { hostOf } from '../noise/url-hosts.ts'

/** Finds a project's own hosts, and the names that its domain may have. */
export function findOwnSites(file: SourceFile): {
  readonly ownHosts: readonly string[]
  readonly ownLabels: readonly string[]
} {
  return { ownHosts: findOwnHosts(file), ownLabels: findOwnLabels(file) }
}

/**
 * Finds a project's own hosts: its homepage in manifests, its domain in `CNAME`, in
 * the settings of Rails and Laravel, and hosts that its cluster serves.
 */
function findOwnHosts({ path, text }: SourceFile): readonly string[] {
  const pattern = PATTERNS.find(([paths]) => paths.test(path))?.[1]
  if (!pattern || (pattern === SERVED && !SERVES.test(text))) return []
  const toHost = pattern === APPLICATION ? reverse : (name: string) => name
  const hosts = [...text.matchAll(pattern)].flatMap((match) => hostOf(toHost(match[1] ?? '')) ?? [])
  return [...new Set(hosts)].filter((host) => !KNOWN_VENDORS.findByHost(host))
}

/**
 * Finds the names in a project's manifest that its domain may have, in lower case without
 * punctuation: the owner of the package and of the repository. Neither dependencies nor the name of
 * the project count: projects are often named after the service that they call.
 */
function findOwnLabels({ path, text }: SourceFile): readonly string[] {
  if (!MANIFEST.test(path)) return []
  const head = text.slice(0, MAX_MANIFEST)
  const labels = OWNERS.flatMap((pattern) => toLabel(pattern.exec(head)?.[1] ?? ''))
  return [...new Set(labels)].filter((label) => label.length >= MIN_LABEL)
}

/** A manifest in the scanned folder; packages below it may be named after services. */
const MANIFEST =
  /^(?:(?:package|composer)\.json|(?:pyproject|Cargo)\.toml|setup\.(?:py|cfg)|go\.mod|[\w-]+\.gemspec)$/

/** The owner of a package, a module and a repository, in JSON and in other manifests. */
const OWNERS = [
  /"name"\s*:\s*"@([\w.-]+)\//,
  // Applications begin as copies of the skeleton of their framework.
  /^\s*\{[^{}]{0,200}?"name"\s*:\s*"(?!(?:laravel|symfony|cakephp|yiisoft|slim|drupal)\/)([\w.-]+)\//,
  /^module[ \t]+"?[\w.-]+\/([\w.-]+)/m,
  /"(?:repository|homepage)"\s*:\s*(?:\{[^{}]{0,200}?"url"\s*:\s*)?"[^"\s]{0,40}?\b(?:github|gitlab)(?:\.com)?[/:]([\w.-]+)\//,
  /^[ \t]*[\w.]*\[?["']?(?:homepage|repository|source(?: code|_code_uri)?|url)["']?\]?\s*=\s*["']https?:\/\/(?:github|gitlab)\.com\/([\w.-]+)\//im,
]

const MAX_MANIFEST = 20_000

/** Minimum length of a name that identifies a domain. */
const MIN_LABEL = 5

function toLabel(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

/** Creates a test for hosts of the project itself: below its domains, or with its name. */
export function createOwnHostTest(
  files: readonly {
    readonly ownHosts?: readonly string[] | undefined
    readonly ownLabels?: readonly string[] | undefined
  }[],
): (host: string) => boolean {
  const domains = new Set(files.flatMap(({ ownHosts = [] }) => ownHosts).map(findOwnDomain))
  const labels = new Set(files.flatMap(({ ownLabels = [] }) => ownLabels))
  return (host) => {
    const domain = findOwnDomain(host)
    if (domain === undefined || isSharedDomain(domain) || KNOWN_VENDORS.findByHost(host)) {
      return false
    }
    const [name = ''] = domain.split('.', 1)
    return domains.has(domain) || labels.has(toLabel(name)) || labels.has(toLabel(domain))
  }
}

/** Whether a finding only names a page of the project itself. */
export function isOwnSite({ via, url }: RawFinding, hosts: ReadonlySet<string>): boolean {
  if (via !== 'config' && via !== 'literal' && via !== 'base') return false
  return hosts.has(hostOf(url) ?? '') && !looksLikeApi(url)
}

/** Hosts of rules for requests from outside: `host: app.acme.io`, ``Host(`app.acme.io`)``. */
const SERVED = /(?:^[ \t]*(?:-[ \t]+)?host(?:name)?:[ \t]*["']?|\bHost\(`)([\w-]+(?:\.[\w-]+)+)/gm

const SERVES = /^[ \t]*kind:[ \t]*(?:Ingress|HTTPRoute|Route\b)|^[ \t]*ingress:|\bHost\(`/m

/** The application of Android, and the group of a build: `com.acme.app` of `acme.com`. */
const APPLICATION =
  /^[ \t]*(?:applicationId|group)(?:[ \t]{1,9}|[ \t]{0,9}=[ \t]{0,9})["']([a-z][\w-]*(?:\.[\w-]+)+)["']/gm

function reverse(name: string): string {
  return name.split('.').toReversed().join('.')
}

const PATTERNS: readonly (readonly [paths: RegExp, hosts: RegExp])[] = [
  [matchPaths('build.gradle{,.kts}'), APPLICATION],
  [/(?:^|\/)CNAME$/, /^([\w-]+(?:\.[\w-]+)+)\s*$/g],
  [
    matchPaths('{package,composer}.json {pyproject,Cargo}.toml *.gemspec setup.{py,cfg}'),
    /\bhomepage(?:_url|_uri)?["']?\s*[:=]\s*["'](https?:\/\/[^"'\s]+)/gi,
  ],
  [matchPaths('*.{yml,yaml}'), SERVED],
  // The base of links in mails and site maps.
  [
    matchPaths('config/**.rb'),
    /\bdefault_(?:url_options\W+\{[^}#]{0,80}?|(?:host|url_options)\b[^#\n]{0,40}?)["'](?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)/g,
  ],
  [matchPaths('.env{,.*}'), /^(?:APP|SITE)_(?:URL|HOST|DOMAIN)=["']?(\S+?)["']?\s*$/gm],
]
