import { PackageURL } from 'packageurl-js'

/** A package of a registry, with or without a version. */
export interface PackageReference {
  /** Such as `npm` or `pypi`. */
  readonly type: string
  /**
   * Type, namespace and name as the registry compares them, equal for all spellings of a package:
   * `npm/@acme/sdk`, `maven/org.acme/sdk`.
   */
  readonly key: string
  readonly version: string | undefined
}

/** A package of a vendor's library that a project uses. */
export interface UsedPackage {
  /** Package URL with a version. */
  readonly purl: string
  /** True if the version is the lowest that a manifest permits, rather than a fixed one. */
  readonly isLowest: boolean
}

/**
 * Parses a package URL (purl), such as `pkg:npm/%40acme/sdk@1.2.0`. Returns the reason if it is
 * invalid.
 */
export function parsePackageUrl(
  text: string,
):
  | { readonly found: PackageReference; readonly issue?: undefined }
  | { readonly found?: undefined; readonly issue: string } {
  try {
    const { type, namespace, name, version } = readPackageUrl(text)
    const path = namespace === '' ? name : `${namespace}/${name}`
    return { found: { type, key: toPackageKey(type, path), version: version || undefined } }
  } catch (error) {
    return { issue: toIssue(error) }
  }
}

/** The parts of a package URL, decoded, and its canonical spelling. */
export interface PackageUrlParts {
  readonly purl: string
  readonly type: string
  /** Empty for packages without one; `@acme` of `pkg:npm/%40acme/sdk`. */
  readonly namespace: string
  readonly name: string
  /** Empty without a version. */
  readonly version: string
}

/**
 * Splits a package URL; undefined if it is invalid.
 *
 * @example
 * ```ts
 * import { splitPackageUrl } from 'api-discovery/vulnerabilities'
 *
 * splitPackageUrl('pkg:npm/%40acme/sdk@1.2.0')?.namespace // '@acme'
 * ```
 */
export function splitPackageUrl(text: string): PackageUrlParts | undefined {
  try {
    return readPackageUrl(text)
  } catch {
    return undefined
  }
}

/** Throws an `Error` for an invalid package URL. */
function readPackageUrl(text: string): PackageUrlParts {
  if (text.length > MAX_LENGTH) throw createPurlError(`it has more than ${MAX_LENGTH} characters`)
  // The library does not accept some versions of Go that begin with a `v`.
  const plain = text.replace(GO_VERSION, '$1')
  const url = PackageURL.fromString(plain)
  const { type, namespace, name, version } = url
  if (CONTROL.test(`${namespace}${name}`)) throw createPurlError('it contains control characters')
  const isGo = plain !== text
  return {
    purl: isGo ? url.toString().replace(/@(?=[^@]*$)/, '@v') : url.toString(),
    type,
    namespace: namespace ?? '',
    name,
    version: `${isGo ? 'v' : ''}${version ?? ''}`,
  }
}

function createPurlError(reason: string): Error {
  return new Error(`Invalid purl: ${reason}`)
}

/** The limit of CVE JSON 5. */
const MAX_LENGTH = 2048
const GO_VERSION = /^(pkg:golang\/[^?#@]*@)v(?=\d)/i
const CONTROL = /[\p{Cc}\p{Cs}]/u

/** Parses a package URL that is searched for. Returns the reason if it cannot be. */
export function parseWantedPackageUrl(text: string): ReturnType<typeof parsePackageUrl> {
  const parsed = parsePackageUrl(text)
  const { version } = parsed.found ?? {}
  return version === undefined || /^[\p{L}\p{N}]/u.test(version)
    ? parsed
    : { issue: 'the version does not begin with a letter or digit' }
}

/** Explains why a package URL cannot be searched for; undefined if it can. */
export function findPackageUrlIssue(text: string): string | undefined {
  return parseWantedPackageUrl(text).issue
}

/**
 * Finds the package of a statement by its package URL, or else by the URL of a well-known registry
 * and the name of the package there; undefined if it names none.
 */
export function findStatedPackage(stated: {
  readonly packageUrl?: string | undefined
  readonly packageName?: string | undefined
  readonly collectionUrl?: string | undefined
}): Omit<PackageReference, 'version'> | undefined {
  const { packageUrl, packageName, collectionUrl } = stated
  const found = packageUrl === undefined ? undefined : parsePackageUrl(packageUrl.trim()).found
  if (found) return found
  const name = packageName?.trim()
  const type = collectionUrl === undefined ? undefined : findRegistry(collectionUrl)
  if (type === undefined || !name || /\s/.test(name)) return undefined
  return { type, key: toPackageKey(type, type === 'maven' ? name.replace(':', '/') : name) }
}

/** Types of packages by the registrable part of the host of their registry. */
const REGISTRIES: ReadonlyMap<string, string> = new Map([
  ...['npmjs.org', 'npmjs.com'].map((host) => [host, 'npm'] as const),
  ...['pypi.org', 'pypi.python.org', 'pythonhosted.org'].map((host) => [host, 'pypi'] as const),
  ...['maven.apache.org', 'maven.org', 'central.sonatype.com', 'mvnrepository.com'].map(
    (host) => [host, 'maven'] as const,
  ),
  ...['pkg.go.dev', 'proxy.golang.org'].map((host) => [host, 'golang'] as const),
  ['nuget.org', 'nuget'],
  ['rubygems.org', 'gem'],
  ['crates.io', 'cargo'],
  ['packagist.org', 'composer'],
])

function findRegistry(url: string): string | undefined {
  const [, host = ''] = /^(?:https?:\/\/)?([^/:?#\s]+)/i.exec(url.trim()) ?? []
  const labels = host.toLowerCase().split('.')
  for (let at = 0; at < labels.length - 1; at += 1) {
    const type = REGISTRIES.get(labels.slice(at).join('.'))
    if (type !== undefined) return type
  }
  return undefined
}

/** `path` is the namespace and the name, decoded. */
function toPackageKey(type: string, path: string): string {
  return `${type}/${CASE_SENSITIVE.has(type) ? path : foldPath(type, path.toLowerCase())}`
}

const CASE_SENSITIVE: ReadonlySet<string> = new Set(['maven', 'gem', 'deb', 'rpm'])

function foldPath(type: string, path: string): string {
  if (type === 'pypi') return path.replaceAll(/[-_.]+/g, '-')
  if (type === 'cargo') return path.replaceAll('_', '-')
  // The version names it, too.
  if (type === 'golang') return path.replace(/\/v\d+$/, '')
  return path
}

function toIssue(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const [, reason = 'the version is invalid'] = /^Invalid purl: (.*)$/s.exec(message) ?? []
  return reason
}
