import { compare as comparePython, valid as validPython } from '@renovatebot/pep440'
import { gt as isGemAfter, lt as isGemBefore, valid as validGem } from '@renovatebot/ruby-semver'
import SemVer from 'semver/classes/semver.js'

/**
 * Returns the scheme by which versions of a type compare; undefined if they compare loosely. `type`
 * is a `versionType` of CVE JSON 5 or the type of a package URL, case-insensitive.
 */
export function toVersionScheme(type: string | undefined): string | undefined {
  return type === undefined ? undefined : SCHEMES.get(type.toLowerCase())
}

/**
 * Returns the scheme by which versions of a package compare, whatever the type of a reported range
 * is; undefined if that type decides.
 */
export function toPackageScheme(type: string): string | undefined {
  return LOOSE_PACKAGES.has(type) ? 'loose' : toVersionScheme(type)
}

/** Their rules are closer to the loose comparison than to that of `semver` ranges. */
const LOOSE_PACKAGES: ReadonlySet<string> = new Set(['maven', 'composer'])

/**
 * Compares two versions by the rules of a scheme: negative if `a` is older. Returns undefined if the
 * scheme has no rules here or does not accept both versions: compare them loosely then.
 */
export function compareByScheme(
  scheme: string | undefined,
  [a, b]: readonly [a: string, b: string],
): number | undefined {
  const compare = scheme === undefined ? undefined : COMPARISONS.get(scheme)
  // Versions of numbers compare equally in all schemes. The libraries for Python and Ruby are slow.
  if (!compare || (NUMBERS.test(a) && NUMBERS.test(b))) return undefined
  return compare(a, b)
}

/** Keyed by type. Maven and Composer are absent: the loose comparison comes closest. */
const SCHEMES: ReadonlyMap<string, string> = new Map([
  ...['git', 'rpm', 'semver', 'python', 'nuget', 'gem'].map((name) => [name, name] as const),
  ...(['dpkg', 'deb'] as const).map((type) => [type, 'dpkg'] as const),
  ...['npm', 'cargo', 'golang', 'go'].map((type) => [type, 'npm'] as const),
  ['pypi', 'python'],
  ['rubygems', 'gem'],
])

const COMPARISONS: ReadonlyMap<string, (a: string, b: string) => number | undefined> = new Map([
  ['npm', compareSemver],
  // Reporters also give this type to versions with patches, which are newer than their release.
  [
    'semver',
    (a: string, b: string) => (hasPatch(a) || hasPatch(b) ? undefined : compareSemver(a, b)),
  ],
  // NuGet ignores case.
  ['nuget', (a: string, b: string) => compareSemver(a.toLowerCase(), b.toLowerCase())],
  [
    'python',
    (a: string, b: string) => (validPython(a) && validPython(b) ? comparePython(a, b) : undefined),
  ],
  [
    'gem',
    (a: string, b: string) =>
      validGem(a) && validGem(b) ? Number(isGemAfter(a, b)) - Number(isGemBefore(a, b)) : undefined,
  ],
])

const NUMBERS = /^\d+(?:\.\d+)*$/

function compareSemver(a: string, b: string): number | undefined {
  try {
    return new SemVer(padSemver(a)).compare(padSemver(b))
  } catch {
    // The only error is that of an invalid version.
    return undefined
  }
}

/** True for `2.4.6-p4`, `10.0-rev40` and `1.2-evo`. */
function hasPatch(version: string): boolean {
  return /-(?:p|patch|sp|hf|hotfix|rev|r|evo)\d*$/i.test(version)
}

/** Adds missing numbers: `2.0-rc.1` is `2.0.0-rc.1`. */
function padSemver(version: string): string {
  return version.replace(/^v?\d+(?:\.\d+)?(?=[-+]|$)/, (numbers) =>
    numbers.includes('.') ? `${numbers}.0` : `${numbers}.0.0`,
  )
}
