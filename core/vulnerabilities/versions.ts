import type { VersionRange } from './records.ts'

/**
 * Compares version texts as versions, whatever their scheme: below 0 when `a` is the older one, 0
 * when they say the same (`2.0`, `v2.0.0`). Numbers compare as numbers and words as words, one by
 * one; a word such as `beta` or `rc` stands before the release, any other (`1.1.1k`, `7.2p2`)
 * after it. A total order over any texts.
 *
 * Our own, as what knows semantic versions alone refuses `1.1.1k`, `2.0-beta9` and `2.0_p1`:
 * compare-versions 6.1.1 throws at one in twelve of the versions that NVD writes.
 */
export function compareVersions(a: string, b: string): number {
  const left = toPieces(a)
  const right = toPieces(b)
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const order = comparePieces(left[index] ?? RELEASE, right[index] ?? RELEASE)
    if (order !== 0) return order
  }
  return 0
}

/**
 * A version with its update (`7.2` and `p2`), as `AffectedProduct` holds it; the version alone for
 * any update (`*`) or none (`-`).
 */
export function withUpdate(version: string, update: string): string {
  const isNamed = update !== '*' && update !== '-' && update !== ''
  return isNamed && version !== '*' && version !== '-' ? version + UPDATE + update : version
}

/**
 * True when a version is among those affected: `*` covers all but `-`, `-` (no version) none but
 * `-`, a version those that say the same, a range those between its bounds. A version with an
 * update covers itself (`7.2p2`, `7.2:p2`), and the version without one (`7.2`), as who asks for
 * that may not know the update.
 */
export function coversVersion(affected: string | VersionRange, version: string): boolean {
  if (affected === version) return true
  if (affected === '-' || version === '-') return false
  if (affected === '*') return true
  if (typeof affected === 'string') {
    if (compareVersions(affected, version) === 0) return true
    const update = affected.indexOf(UPDATE)
    return update >= 0 && compareVersions(affected.slice(0, update), version) === 0
  }
  const { from, to } = affected
  if (from) {
    const order = compareVersions(version, from.version)
    if (order < 0 || (order === 0 && !from.isIncluded)) return false
  }
  if (to) {
    const order = compareVersions(version, to.version)
    if (order > 0 || (order === 0 && !to.isIncluded)) return false
  }
  return true
}

/**
 * A version on the wire: as it is without its update, `>=2.0,<2.17.1` for a range, `-` for any or
 * none (4.10).
 */
export function toVersionText(affected: string | VersionRange): string {
  if (typeof affected === 'string') {
    const update = affected.indexOf(UPDATE)
    if (update >= 0) return affected.slice(0, update)
    return affected === '*' || affected === '' ? '-' : affected
  }
  const { from, to } = affected
  const bounds: string[] = []
  if (from) bounds.push((from.isIncluded ? '>=' : '>') + from.version)
  if (to) bounds.push((to.isIncluded ? '<=' : '<') + to.version)
  return bounds.length === 0 ? '-' : bounds.join(',')
}

/** Stands between a version and its update. */
const UPDATE = '\t'

/** A number, without leading zeros, or a word of a version; its kind comes first in the order. */
interface Piece {
  readonly kind: number
  readonly text: string
}

/** Words before a release, in their order. */
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

/** What is left out of a shorter version: `2.0` is `2.0.0`. */
const RELEASE: Piece = { kind: 0, text: '' }
const WORD = 1
const NUMBER = 2

function toPieces(version: string): readonly Piece[] {
  const found = version.toLowerCase().match(/\d+|\p{L}+/gu) ?? []
  const isMarked = found[0] === 'v' && found.length > 1
  const pieces: Piece[] = []
  for (let index = isMarked ? 1 : 0; index < found.length; index += 1) {
    pieces.push(toPiece(found[index] ?? ''))
  }
  return pieces
}

function toPiece(text: string): Piece {
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) {
    const digits = text.replace(/^0+/, '')
    return digits === '' ? RELEASE : { kind: NUMBER, text: digits }
  }
  if (RELEASE_WORDS.has(text)) return RELEASE
  const before = BEFORE_RELEASE.get(text)
  return before === undefined ? { kind: WORD, text } : { kind: before, text: '' }
}

function comparePieces(a: Piece, b: Piece): number {
  if (a.kind !== b.kind) return a.kind - b.kind
  if (a.kind === NUMBER && a.text.length !== b.text.length) return a.text.length - b.text.length
  if (a.text === b.text) return 0
  return a.text < b.text ? -1 : 1
}
