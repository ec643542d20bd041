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
 * Creates a comparison of a version with others by the rules of a scheme: negative if `version` is
 * older. It returns undefined if the scheme has no rules here or does not accept both versions:
 * compare them loosely then. The version is parsed once per scheme.
 */
export function createSchemeComparison(
  version: string,
): (scheme: string | undefined, other: string) => number | undefined {
  const isNumeric = NUMBERS.test(version)
  const comparisons = new Map<string, Comparison>()
  return (scheme, other) => {
    const create = scheme === undefined ? undefined : COMPARISONS.get(scheme)
    // Versions of numbers compare equally in all schemes. The libraries for Python and Ruby are slow.
    if (scheme === undefined || !create || (isNumeric && NUMBERS.test(other))) return undefined
    const compare = comparisons.get(scheme) ?? create(version)
    comparisons.set(scheme, compare)
    return compare(other)
  }
}

/** Compares one version with others. */
type Comparison = (other: string) => number | undefined

/** Keyed by type. Maven and Composer are absent: the loose comparison comes closest. */
const SCHEMES: ReadonlyMap<string, string> = new Map([
  ...['git', 'rpm', 'semver', 'python', 'nuget', 'gem'].map((name) => [name, name] as const),
  ...(['dpkg', 'deb'] as const).map((type) => [type, 'dpkg'] as const),
  ...['npm', 'cargo', 'golang', 'go'].map((type) => [type, 'npm'] as const),
  ['pypi', 'python'],
  ['rubygems', 'gem'],
])

const COMPARISONS: ReadonlyMap<string, (version: string) => Comparison> = new Map([
  ['npm', createSemverComparison],
  // Reporters also give this type to versions with patches, which are newer than their release.
  [
    'semver',
    (version: string): Comparison => {
      const compare = createSemverComparison(version)
      const isPatched = hasPatch(version)
      return (other) => (isPatched || hasPatch(other) ? undefined : compare(other))
    },
  ],
  // NuGet ignores case.
  [
    'nuget',
    (version: string): Comparison => {
      const compare = createSemverComparison(version.toLowerCase())
      return (other) => compare(other.toLowerCase())
    },
  ],
  [
    'python',
    (version: string): Comparison => {
      const isValid = validPython(version) !== null
      return (other) => (isValid && validPython(other) ? comparePython(version, other) : undefined)
    },
  ],
  [
    'gem',
    (version: string): Comparison => {
      const isValid = validGem(version) !== null
      return (other) =>
        isValid && validGem(other)
          ? Number(isGemAfter(version, other)) - Number(isGemBefore(version, other))
          : undefined
    },
  ],
])

const NUMBERS = /^\d+(?:\.\d+)*$/

function createSemverComparison(version: string): Comparison {
  const parsed = parseSemver(version)
  return (other) => {
    const bound = parsed && parseSemver(other)
    return bound && parsed?.compare(bound)
  }
}

function parseSemver(version: string): SemVer | undefined {
  try {
    return new SemVer(padSemver(version))
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
