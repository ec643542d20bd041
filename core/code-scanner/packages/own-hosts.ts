import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { findOwnDomain, isPublicSuffix, isSharedDomain } from '../../vendors/shared-hosts.ts'
import { COMMON_WORDS } from '../model/common-words.ts'
import type { FileScan } from '../model/file-scan.ts'
import type { RawFinding, SourceFile } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { looksLikeApi } from '../noise/noise.ts'
import { findFileRole } from '../noise/path-roles.ts'
import { hostOf } from '../noise/url-hosts.ts'

/** Knowledge of one file about the project's own sites. */
export interface OwnSites {
  readonly ownHosts: readonly string[]
  readonly ownLabels: readonly string[]
  /** Scope of a package with the homepage or repository of its owner; no common word. */
  readonly ownScope?: string
  /** Name of the application in the scanned folder. */
  readonly ownProduct?: string
}

/** Finds a project's own hosts, and the names that its domain may have. */
export function findOwnSites(file: SourceFile): OwnSites {
  return {
    ...{ ownHosts: findOwnHosts(file), ownLabels: findOwnLabels(file) },
    ...findOwnPackage(file),
  }
}

/** Finds the scope of a package, and the name of an application at the root. */
function findOwnPackage({ path, text }: SourceFile): Pick<OwnSites, 'ownScope' | 'ownProduct'> {
  if (!/(?:^|\/)package\.json$/.test(path) || findFileRole(path) !== 'production') return {}
  const head = text.slice(0, MAX_MANIFEST)
  const scope = toLabel(SCOPE.exec(head)?.[1] ?? '')
  const site = findOwnDomain(hostOf(HOMEPAGE.exec(head)?.[1] ?? '') ?? '') ?? ''
  const owners = [REPOSITORY.exec(head)?.[1] ?? '', site.split('.', 1)[0] ?? '']
  const isScope = scope !== '' && owners.some((owner) => toLabel(owner) === scope)
  const name = path === 'package.json' ? findApplication(head) : undefined
  return {
    ...(isScope && !COMMON_WORDS.has(scope) && { ownScope: scope }),
    ...(name !== undefined && { ownProduct: toLabel(name) }),
  }
}

/** Finds the name of an application, without a scope; undefined for libraries and common words. */
function findApplication(manifest: string): string | undefined {
  const name = /"name"\s*:\s*"([\w-]+)"/.exec(manifest)?.[1]
  const isOne = name !== undefined && !COMMON_WORDS.has(name) && /"start"\s*:/.test(manifest)
  return isOne ? name : undefined
}

const SCOPE = /"name"\s*:\s*"@([\w.-]+)\//
const HOMEPAGE = /"homepage"\s*:\s*"(https?:\/\/[^"\s]+)"/
const REPOSITORY =
  /"(?:repository|homepage)"\s*:\s*(?:\{[^{}]{0,200}?"url"\s*:\s*)?"[^"\s]{0,40}?\b(?:github|gitlab)(?:\.com)?[/:]([\w.-]+)\//

/**
 * Finds a project's own hosts: its homepage in manifests, the domain of its Go module or .NET
 * company, its domain in `CNAME`, in the settings of Rails and Laravel, and hosts that its cluster
 * serves.
 */
function findOwnHosts({ path, text }: SourceFile): readonly string[] {
  const pattern = PATTERNS.find(([paths]) => paths.test(path))?.[1]
  if (!pattern || (pattern === SERVED && !SERVES.test(text))) return []
  // Documentation is the project's own; tests and examples may be copies of other projects.
  const role = findFileRole(path.replaceAll(/\bdocs?\//g, ''))
  if (role !== 'production' && role !== 'build') return []
  const isApplication = pattern === APPLICATION || pattern === BUNDLE
  const toHost = isApplication ? reverse : (name: string) => name
  const texts = pattern === ZONES ? text.split(/^(?=\w)/m).filter(isPublicZone) : [text]
  const names = texts.flatMap((each) => [...each.matchAll(pattern)].map(([, name = '']) => name))
  const urls = pattern === DOCUSAURUS ? names.filter((url) => !looksLikeApi(url)) : names
  const hosts = urls.flatMap((name) => hostOf(toHost(name)) ?? [])
  const isOther = (host: string) =>
    KNOWN_VENDORS.findByHost(host) && !isProduct({ path, text }, host)
  return [...new Set(hosts)].filter((host) => !isOther(host))
}

/** Whether a manifest is that of an application with the name of its homepage: `acme` of `acme.io`. */
function isProduct({ path, text }: SourceFile, host: string): boolean {
  const name = path === 'package.json' ? findApplication(text.slice(0, MAX_MANIFEST)) : undefined
  return name !== undefined && findOwnDomain(host)?.split('.', 1)[0] === name
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
  SCOPE,
  // Applications begin as copies of the skeleton of their framework.
  /^\s*\{[^{}]{0,200}?"name"\s*:\s*"(?!(?:laravel|symfony|cakephp|yiisoft|slim|drupal)\/)([\w.-]+)\//,
  /^module[ \t]+"?[\w.-]+\/([\w.-]+)/m,
  REPOSITORY,
  /^[ \t]*[\w.]*\[?["']?(?:homepage|repository|source(?: code|_code_uri)?|url)["']?\]?\s*=\s*["']https?:\/\/(?:github|gitlab)\.com\/([\w.-]+)\//im,
]

const MAX_MANIFEST = 20_000

/** Minimum length of a name that identifies a domain. */
const MIN_LABEL = 5

function toLabel(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

/**
 * Creates a test for hosts of the project itself: below its domains and the declared hosts, or
 * with its name. Hosts of a known vendor are only its own if they are declared, or if the project is
 * the vendor's application or a workspace with the vendor's scope and site. It is none of a vendor
 * in `libraries`, whose libraries it uses or implements: it may be a client, unless it is a
 * workspace and an application with the vendor's name.
 */
export function createOwnHostTest(
  files: readonly (Partial<OwnSites> & Pick<FileScan, 'path' | 'own'>)[],
  declared: readonly string[] = [],
  libraries: ReadonlySet<string | undefined> = new Set(),
): (host: string) => boolean {
  const domains = new Set(files.flatMap(({ ownHosts = [] }) => ownHosts).map(findOwnDomain))
  const labels = new Set(files.flatMap(({ ownLabels = [] }) => ownLabels))
  const root = files.find(({ path }) => path === 'package.json')
  const product = files.find(({ ownScope }) => ownScope && ownScope === root?.ownProduct)?.ownScope
  const ownScope = product ?? root?.ownScope
  const isWorkspace = countPackages(files, ownScope) >= MIN_PACKAGES
  return (host) => {
    if (declared.some((each) => host === each || host.endsWith(`.${each}`))) return true
    const domain = findOwnDomain(host)
    if (domain === undefined || isSharedDomain(domain)) return false
    const vendor = KNOWN_VENDORS.findByHost(host)?.name
    if (vendor !== undefined) {
      const isOwner = isWorkspace && toLabel(vendor) === ownScope
      if (libraries.has(vendor)) return isOwner && product !== undefined
      return isOwner || domains.has(domain)
    }
    const [name = ''] = domain.split('.', 1)
    return domains.has(domain) || labels.has(toLabel(name)) || labels.has(toLabel(domain))
  }
}

/** Minimum number of packages with the scope of a vendor in its own workspace. */
const MIN_PACKAGES = 3

/** Counts the npm packages of a scope, without those of tests and examples. */
function countPackages(
  files: readonly Pick<FileScan, 'path' | 'own'>[],
  scope: string | undefined,
): number {
  return files
    .filter(({ path }) => findFileRole(path) === 'production')
    .flatMap(({ own = [] }) => own)
    .filter(({ packageUrl = '' }) => toLabel(NPM_SCOPE.exec(packageUrl)?.[1] ?? '') === scope)
    .length
}

const NPM_SCOPE = /^pkg:npm\/@([\w.-]+)\//

/** Whether hosts below a name have different owners: `co.uk`, `vercel.app`, `slack.com`. */
export function hasManyOwners(host: string): boolean {
  return isPublicSuffix(host) || isSharedDomain(host)
}

/** Whether a finding only names a page of the project itself. */
export function isOwnSite({ via, url }: RawFinding, hosts: ReadonlySet<string>): boolean {
  if (via !== 'config' && via !== 'literal' && via !== 'base') return false
  return hosts.has(hostOf(url) ?? '') && !looksLikeApi(url)
}

/** Hosts of rules for requests from outside: `host: app.acme.io`, ``Host(`app.acme.io`)``. */
const SERVED = /(?:^[ \t]*(?:-[ \t]+)?host(?:name)?:[ \t]*["']?|\bHost\(`)([\w-]+(?:\.[\w-]+)+)/gm

/** Zones, domains and certificates in Terraform, and the name in such a block. */
const ZONE = /^(?:resource|data) "\w+(?:zone|domain|_name|certificate)"/
const ZONES =
  /^[^{}]{1,120}\{[^{}]{0,99}?\b(?:(?:dns_|domain_)?name|zone) *= *"(?:[^"\n]*\})?[*.]*([\w-]+(?:\.[\w-]+)+)\.?"/g

/** Whether a block is a public zone: private networks also have zones for vendors' domains. */
function isPublicZone(block: string): boolean {
  return ZONE.test(block) && !/\bvpc\b|private(?!_zone *= *false)/.test(block)
}

const SERVES = /^[ \t]*kind:[ \t]*(?:Ingress|HTTPRoute|Route\b)|^[ \t]*ingress:|\bHost\(`/m

/** The application of Android, group and main class of a build: `com.acme.app` of `acme.com`. */
const APPLICATION =
  /^[ \t]*(?:applicationId|group|mainClass(?:\.set\()?|["']Main-Class["'])[ \t]{0,9}[=:]?[ \t]{0,9}["']([a-z][\w-]*(?:\.[\w-]+)+)["']/gm

/** The application of Expo. */
const BUNDLE =
  /\b(?:bundleIdentifier|android["']?:\s*\{(?:[^{}]|\{[^{}]{0,300}\}){0,300}?\bpackage)["']?:\s*["']([a-z][\w-]*(?:\.[\w-]+)+)["']/g

/** The site's address at the first level; its path is in `baseUrl`. */
const DOCUSAURUS = /^(?: {2}|\t)url:[ \t]*["'](https?:\/\/[\w.-]+)\/?["']/gm

function reverse(name: string): string {
  return name.split('.').toReversed().join('.')
}

const PATTERNS: readonly (readonly [paths: RegExp, hosts: RegExp])[] = [
  [matchPaths('build.gradle{,.kts}'), APPLICATION],
  [matchPaths('app.json app.config.{js,ts}'), BUNDLE],
  // Sites of documentation.
  [matchPaths('mkdocs.{yml,yaml}'), /^site_url:[ \t]*["']?(https?:\/\/[^\s"']+)/gm],
  [matchPaths('docusaurus.config.{js,ts,mjs}'), DOCUSAURUS],
  [matchPaths('*.tf'), ZONES],
  [/(?:^|\/)CNAME$/, /^([\w-]+(?:\.[\w-]+)+)\s*$/g],
  [
    matchPaths('{package,composer}.json {pyproject,Cargo}.toml *.gemspec setup.{py,cfg}'),
    /\bhomepage(?:_url|_uri)?["']?\s*[:=]\s*["'](https?:\/\/[^"'\s]+)/gi,
  ],
  [
    matchPaths('*.csproj Directory.Build.props'),
    /<(?:Company|PackageProjectUrl)>(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)\/?</g,
  ],
  // `acme.io/app/v2`
  [/^go\.mod$/, /^module[ \t]+"?([\w-]+(?:\.[\w-]+)+)(?=[/"\s])/gm],
  [matchPaths('*.{yml,yaml}'), SERVED],
  // The base of links in mails and site maps.
  [
    matchPaths('config/**.rb'),
    /\bdefault_(?:url_options\W+\{[^}#]{0,80}?|(?:host|url_options)\b[^#\n]{0,40}?)["'](?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)/g,
  ],
  [matchPaths('.env{,.*}'), /^(?:APP|SITE)_(?:URL|HOST|DOMAIN)=["']?(\S+?)["']?\s*$/gm],
]
