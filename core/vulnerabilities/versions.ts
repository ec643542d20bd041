import type { VersionBound, VersionRange } from './records.ts'
import { createSchemeComparison } from './version-schemes.ts'

/**
 * Compares version strings of any scheme: negative if `a` is older, 0 if both are equivalent
 * (`2.0`, `v2.0.0`). Numbers compare as numbers and words, one by one. A word such as
 * `beta` or `rc` sorts before the release, any other word (`1.1.1k`, `7.2p2`) after it. This is a
 * total order over all strings.
 *
 * Custom code, because libraries for semantic versions reject `1.1.1k`, `2.0-beta9` and `2.0_p1`:
 * compare-versions 6.1.1 throws for one in twelve of the versions in NVD.
 */
export function compareVersions(a: string, b: string): number {
  return compareTokenLists(tokenizeVersion(a), tokenizeVersion(b))
}

function compareTokenLists(left: readonly VersionToken[], right: readonly VersionToken[]): number {
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const order = compareTokens(left[index] ?? RELEASE_TOKEN, right[index] ?? RELEASE_TOKEN)
    if (order !== 0) return order
  }
  return 0
}

/**
 * Joins a version and its update (`7.2` and `p2`) as in `AffectedProduct`. Returns the version
 * alone if the update is any (`*`) or none (`-`).
 */
export function withUpdate(version: string, update: string): string {
  const isNamed = update !== '*' && update !== '-' && update !== ''
  return isNamed && version !== '*' && version !== '-'
    ? version + UPDATE_SEPARATOR + update
    : version
}

/**
 * True if a version is affected. `*` covers all but `-`; `-` (no version) covers only `-`; a
 * version covers equivalent ones; a range covers versions within its bounds, except its exceptions.
 * A version with an update covers itself (`7.2p2`, `7.2:p2`) and the version without it (`7.2`),
 * because a caller may not know the update.
 */
export function coversVersion(affected: string | VersionRange, version: string): boolean {
  return createVersionTest(version)(affected)
}

/**
 * Creates `coversVersion` for one version, which is parsed once; tests shared exceptions once. `scheme` replaces that of
 * ranges, except of commits.
 */
export function createVersionTest(
  version: string,
  scheme?: string | undefined,
): (affected: string | VersionRange) => boolean {
  const excepted = new Map<readonly VersionRange[], boolean>()
  const wanted = { version, compare: createBoundComparison(version) }
  const isInRange = (affected: string | VersionRange): boolean =>
    scheme === undefined || typeof affected === 'string' || affected.scheme === 'git'
      ? isWithin(affected, wanted)
      : isWithin({ ...affected, scheme }, wanted)
  const isExcepted = (except: readonly VersionRange[]): boolean => {
    const known = excepted.get(except) ?? except.some(isInRange)
    excepted.set(except, known)
    return known
  }
  return (affected) =>
    isInRange(affected) &&
    (typeof affected === 'string' || !affected.except || !isExcepted(affected.except))
}

/** A version that is searched for. */
interface WantedVersion {
  readonly version: string
  readonly compare: BoundComparison
}

/** Ignores exceptions. */
function isWithin(affected: string | VersionRange, wanted: WantedVersion): boolean {
  const { version, compare } = wanted
  if (affected === version) return true
  if (affected === '-' || version === '-') return false
  if (affected === '*') return true
  if (typeof affected === 'string') {
    if (compare(affected) === 0) return true
    const update = affected.indexOf(UPDATE_SEPARATOR)
    return update >= 0 && compareVersions(affected.slice(0, update), version) === 0
  }
  const { from, to, scheme } = affected
  // Commits have no order.
  if (scheme === 'git') {
    return [from, to].some((bound) => bound?.isIncluded === true && isSame(bound, version))
  }
  if (from) {
    const order = compareToBound(wanted, { bound: from.version, scheme })
    if (order < 0 || (order === 0 && !from.isIncluded)) return false
  }
  if (to) {
    const order = compareToBound(wanted, { bound: to.version, scheme })
    if (order > 0 || (order === 0 && !to.isIncluded)) return false
  }
  return true
}

function compareToBound(
  { version, compare }: WantedVersion,
  { bound, scheme }: { readonly bound: string; readonly scheme: string | undefined },
): number {
  if (scheme !== 'rpm' && scheme !== 'dpkg') return compare(bound, scheme)
  const [first, second] = alignPackages(version, bound)
  return first === version ? compare(second) : createBoundComparison(first)(second)
}

/**
 * Prepares versions of Linux packages: removes the epoch (`1:2.0`) unless both have one, and writes
 * `~`, which sorts before a release, as `-dev-`.
 */
function alignPackages(version: string, bound: string): readonly [string, string] {
  const pair = [version, bound].map((each) => each.replaceAll('~', '-dev-'))
  const [first = '', second = ''] =
    EPOCH.test(version) && EPOCH.test(bound) ? pair : pair.map((each) => each.replace(EPOCH, ''))
  return [first, second]
}

const EPOCH = /^\d+:/

function isSame(bound: VersionBound, version: string): boolean {
  return bound.version.toLowerCase() === version.toLowerCase()
}

/** Compares one version with a bound. */
type BoundComparison = (bound: string, scheme?: string | undefined) => number

/**
 * Creates a comparison with bounds by the rules of a scheme, if both versions follow them, else
 * loosely. All versions of `6.1` equal `6.1.*` and `6.1.x`. The version is parsed once.
 */
function createBoundComparison(version: string): BoundComparison {
  const tokens = tokenizeVersion(version)
  const compareByScheme = createSchemeComparison(version)
  return (bound, scheme) => {
    if (!BRANCH.test(bound)) {
      return compareByScheme(scheme, bound) ?? compareTokenLists(tokens, tokenizeVersion(bound))
    }
    const branch = tokenizeVersion(bound.replace(BRANCH, ''))
    return compareTokenLists(tokens.slice(0, branch.length), branch)
  }
}

const BRANCH = /(?<=\d)(?:\.[*x])+$/i

/**
 * Formats a version for the wire (4.10): a version without its update, a range as `>=2.0,<2.17.1`,
 * and `-` for any or none.
 *
 * @example
 * ```ts
 * import { toVersionText } from 'api-discovery/vulnerabilities'
 *
 * const from = { version: '2.0', isIncluded: true }
 * toVersionText({ from, to: { version: '2.17.1', isIncluded: false } }) // '>=2.0,<2.17.1'
 * toVersionText('*') // '-'
 * ```
 */
export function toVersionText(affected: string | VersionRange): string {
  if (typeof affected === 'string') {
    const update = affected.indexOf(UPDATE_SEPARATOR)
    if (update >= 0) return affected.slice(0, update)
    return affected === '*' || affected === '' ? '-' : affected
  }
  const { from, to, scheme } = affected
  if (scheme === 'git' && from && from.version === to?.version) return from.version
  const bounds: string[] = []
  if (from) bounds.push((from.isIncluded ? '>=' : '>') + from.version)
  if (to) bounds.push((to.isIncluded ? '<=' : '<') + to.version)
  return bounds.length === 0 ? '-' : bounds.join(',')
}

/** Separates a version from its update. */
const UPDATE_SEPARATOR = '\t'

/** A number without leading zeros, or a word. `kind` is compared first. */
interface VersionToken {
  readonly kind: number
  readonly text: string
}

/** Words that sort before a release, in order. */
const BEFORE_RELEASE: ReadonlyMap<string, number> = new Map([
  ['dev', -9],
  ['snapshot', -9],
  ['nightly', -9],
  ['alpha', -8],
  ['beta', -7],
  ['milestone', -6],
  ['preview', -5],
  ['pre', -5],
  ['prerelease', -5],
  ['cr', -4],
  ['rc', -4],
])

const RELEASE_WORDS: ReadonlySet<string> = new Set(['final', 'ga', 'release'])

/** Pads the shorter of two versions: `2.0` is equivalent to `2.0.0`. */
const RELEASE_TOKEN: VersionToken = { kind: 0, text: '' }
const WORD_KIND = 1
const NUMBER_KIND = 2

function tokenizeVersion(version: string): readonly VersionToken[] {
  const found = version.toLowerCase().match(/\d+|\p{L}+/gu) ?? []
  const isMarked = found[0] === 'v' && found.length > 1
  const tokens: VersionToken[] = []
  for (let index = isMarked ? 1 : 0; index < found.length; index += 1) {
    const [text = '', next = ''] = found.slice(index, index + 2)
    tokens.push(toVersionToken(text === 'm' && /^\d/.test(next) ? 'milestone' : text))
  }
  return tokens
}

function toVersionToken(text: string): VersionToken {
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) {
    const digits = text.replace(/^0+/, '')
    return digits === '' ? RELEASE_TOKEN : { kind: NUMBER_KIND, text: digits }
  }
  if (RELEASE_WORDS.has(text)) return RELEASE_TOKEN
  const before = BEFORE_RELEASE.get(text)
  return before === undefined ? { kind: WORD_KIND, text } : { kind: before, text: '' }
}

function compareTokens(a: VersionToken, b: VersionToken): number {
  if (a.kind !== b.kind) return a.kind - b.kind
  if (a.kind === NUMBER_KIND && a.text.length !== b.text.length)
    return a.text.length - b.text.length
  if (a.text === b.text) return 0
  return a.text < b.text ? -1 : 1
}
