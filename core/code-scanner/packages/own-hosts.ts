import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { findOwnDomain, isSharedDomain } from '../../vendors/shared-hosts.ts'
import type { RawFinding, SourceFile } from '../model/finding.ts'
import type { OwnName } from '../model/packages.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { looksLikeApi } from '../noise/noise.ts'
import { hostOf } from '../noise/url-hosts.ts'

/** Knowledge of one file about the project's own sites. */
export interface OwnSites {
  readonly ownHosts: readonly string[]
  readonly ownLabels: readonly string[]
  /** Names of mobile applications, and hosts of their links: equal names are the project's own. */
  readonly appNames: readonly string[]
  readonly linkedHosts: readonly string[]
}

/** Finds a project's own hosts, and the names that its domain may have. */
export function findOwnSites(file: SourceFile): OwnSites {
  const { path, text } = file
  const find = (paths: RegExp, pattern: RegExp) =>
    paths.test(path) ? [...text.matchAll(pattern)].map(([, name = '']) => name) : []
  const names = find(GRADLE, APPLICATION).map((name) => toLabel(name.replace(/^.*\./, '')))
  return {
    ownHosts: findOwnHosts(file),
    ownLabels: findOwnLabels(file),
    appNames: names.filter((name) => name.length >= MIN_LABEL),
    linkedHosts: find(ANDROID_STRINGS, LINKED).flatMap((url) => hostOf(url) ?? []),
  }
}

/**
 * Finds a project's own hosts: its homepage in manifests, its domain in `CNAME`, in
 * the settings of Rails and Laravel, and hosts that its cluster serves.
 */
function findOwnHosts({ path, text }: SourceFile): readonly string[] {
  const pattern = PATTERNS.find(([paths]) => paths.test(path))?.[1]
  if (!pattern || (pattern === SERVED && !SERVES.test(text))) return []
  const isApplication = pattern === APPLICATION || pattern === BUNDLE
  const toHost = isApplication ? reverse : (name: string) => name
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

/** Minimum number of packages with one scope that makes the scope the project's own. */
const MIN_SCOPED = 3

/**
 * Creates a test for hosts of the project itself: below its domains and the declared hosts, or with its
 * name. Hosts of a known vendor are own ones if the project declares several packages with the vendor's scope.
 */
export function createOwnHostTest(
  files: readonly (Partial<OwnSites> & { readonly own?: readonly OwnName[] | undefined })[],
  declared: readonly string[] = [],
): (host: string) => boolean {
  const collect = (key: keyof OwnSites) => files.flatMap((file) => file[key] ?? [])
  const apps = new Set(collect('appNames'))
  const linked = collect('linkedHosts').filter((host) => apps.has(toDomainLabels(host)[0] ?? ''))
  const domains = new Set([...collect('ownHosts'), ...linked].map(findOwnDomain))
  const labels = new Set(collect('ownLabels'))
  const scopes = findOwnScopes(files.flatMap(({ own = [] }) => own))
  return (host) => {
    if (declared.some((each) => host === each || host.endsWith(`.${each}`))) return true
    const domain = findOwnDomain(host)
    if (domain === undefined || isSharedDomain(domain)) return false
    const names = toDomainLabels(domain)
    if (names.some((name) => scopes.has(name))) return true
    if (KNOWN_VENDORS.findByHost(host)) return false
    return domains.has(domain) || names.some((name) => labels.has(name))
  }
}

/** The registrable domain of a host as names: without and with its suffix. */
function toDomainLabels(host: string): readonly string[] {
  const domain = findOwnDomain(host) ?? ''
  return [domain.replace(/\..*$/, ''), domain].map(toLabel)
}

/** Finds the scopes that several packages of the project have: `@acme/web`, `@acme/ui`, …. */
function findOwnScopes(own: readonly OwnName[]): ReadonlySet<string> {
  const packages = new Set(own.flatMap(({ packageUrl = '' }) => packageUrl))
  const scopes = [...packages].flatMap((name) => /^pkg:npm\/@([^/]+)\//.exec(name)?.[1] ?? [])
  const isOwn = (scope: string) => scopes.filter((one) => one === scope).length >= MIN_SCOPED
  return new Set([...new Set(scopes)].filter(isOwn).map(toLabel))
}

/** Whether a finding only names a page of the project itself. */
export function isOwnSite({ via, url }: RawFinding, hosts: ReadonlySet<string>): boolean {
  if (via !== 'config' && via !== 'literal' && via !== 'base') return false
  return hosts.has(hostOf(url) ?? '') && !looksLikeApi(url)
}

/** Hosts of rules for requests from outside: `host: app.acme.io`, ``Host(`app.acme.io`)``. */
const SERVED = /(?:^[ \t]*(?:-[ \t]+)?host(?:name)?:[ \t]*["']?|\bHost\(`)([\w-]+(?:\.[\w-]+)+)/gm

/** Links in the resources of an Android application. */
const ANDROID_STRINGS = matchPaths('res/values/*.xml')
const LINKED = />\s*(https?:\/\/[\w.-]+)\/?\s*</g

/** Zones, domains and certificates that the project's Terraform has. */
const ZONES =
  /^(?:resource|data) "\w+(?:zone|domain|_name|certificate)"[^{}]{1,80}\{[^{}]{0,99}?(?:name|zone) *= *"(?:[^"\n]*\})?[*.]*([\w-]+(?:\.[\w-]+)+)\.?"/gm

const SERVES = /^[ \t]*kind:[ \t]*(?:Ingress|HTTPRoute|Route\b)|^[ \t]*ingress:|\bHost\(`/m

/** The application of Android, and the group of a build: `com.acme.app` of `acme.com`. */
const APPLICATION =
  /^[ \t]*(?:applicationId|group)(?:[ \t]{1,9}|[ \t]{0,9}=[ \t]{0,9})["']([a-z][\w-]*(?:\.[\w-]+)+)["']/gm

/** The application of Expo. */
const BUNDLE = /\b(?:bundleIdentifier|package)["']?:\s*["']([a-z][\w-]*(?:\.[\w-]+)+)["']/g

function reverse(name: string): string {
  return name.split('.').toReversed().join('.')
}

const GRADLE = matchPaths('build.gradle{,.kts}')

const PATTERNS: readonly (readonly [paths: RegExp, hosts: RegExp])[] = [
  [GRADLE, APPLICATION],
  [matchPaths('app.json app.config.{js,ts}'), BUNDLE],
  // Sites of documentation.
  [matchPaths('mkdocs.{yml,yaml}'), /^site_url:[ \t]*["']?(https?:\/\/[^\s"']+)/gm],
  [matchPaths('docusaurus.config.{js,ts,mjs}'), /^[ \t]*url:[ \t]*["'](https?:\/\/[^\s"']+)/gm],
  [matchPaths('*.tf'), ZONES],
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
