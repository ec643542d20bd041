import type { CpeMatch, CveConfiguration, CveNode, VersionBound, VersionRange } from '../records.ts'

/** Operator and negation as one number, then the nodes. */
export type PackedConfiguration = readonly [number, ...PackedNode[]]

/**
 * Operator and negation, the matches, the children. A match is a string: `v` or `n` (vulnerable or
 * not), two lengths, and a part of its CPE. The lengths are those that the CPE shares with the
 * previous one: at the start (two base-36 digits) and at the end (one). The part is the characters
 * in between. The bounds of its range follow as separate strings.
 */
export type PackedNode = readonly [number, readonly string[], ...PackedChild[]]

// An interface, because a tuple type cannot refer to itself.
interface PackedChild extends PackedNode {}

/** Packs configurations. Each CPE is stored as its difference from the previous one. */
export function packConfigurations(
  configurations: readonly CveConfiguration[],
): readonly PackedConfiguration[] {
  const state = { cpe: FIRST_CPE }
  return configurations.map((configuration) => [
    packLogic(configuration),
    ...configuration.nodes.map((node) => packNode(state, node)),
  ])
}

/** Reverses `packConfigurations`. */
export function unpackConfigurations(
  packed: readonly PackedConfiguration[],
): readonly CveConfiguration[] {
  const state = { cpe: FIRST_CPE }
  return packed.map(([logic, ...nodes]) => ({
    ...unpackLogic(logic),
    nodes: nodes.map((node) => unpackNode(state, node)),
  }))
}

/** Formats the bounds of a range: `>=2.0`, `<2.17.1`. */
export function packBounds({ from, to }: VersionRange): readonly string[] {
  const bounds: string[] = []
  if (from) bounds.push((from.isIncluded ? '>=' : '>') + from.version)
  if (to) bounds.push((to.isIncluded ? '<=' : '<') + to.version)
  return bounds
}

/** Reverses `packBounds`. */
export function unpackBounds(bounds: readonly string[]): VersionRange {
  let range: VersionRange = {}
  for (const text of bounds) range = addBound(range, text)
  return range
}

interface PackState {
  cpe: string
}

/** Precedes the first CPE: most CPEs have this ending. */
const FIRST_CPE = 'cpe:2.3:a:*:*:*:*:*:*:*:*:*:*'
const MAX_PREFIX = 36 ** 2 - 1
const MAX_SUFFIX = 35

function packLogic({ operator, isNegated }: Pick<CveNode, 'operator' | 'isNegated'>): number {
  return (operator === 'AND' ? 1 : 0) + (isNegated ? 2 : 0)
}

function unpackLogic(logic: number): Pick<CveNode, 'operator' | 'isNegated'> {
  return { operator: logic % 2 === 1 ? 'AND' : 'OR', isNegated: logic >= 2 }
}

function packNode(state: PackState, node: CveNode): PackedNode {
  const matches: string[] = []
  for (const match of node.matches) {
    matches.push(packMatch(state, match))
    if (match.range) matches.push(...packBounds(match.range))
  }
  return [packLogic(node), matches, ...node.children.map((child) => packNode(state, child))]
}

function unpackNode(state: PackState, [logic, texts, ...children]: PackedNode): CveNode {
  const matches: CpeMatch[] = []
  for (const text of texts) {
    const last = matches.at(-1)
    if (last && (text[0] === '<' || text[0] === '>')) {
      matches[matches.length - 1] = { ...last, range: addBound(last.range ?? {}, text) }
    } else matches.push(unpackMatch(state, text))
  }
  return {
    ...unpackLogic(logic),
    matches,
    children: children.map((child) => unpackNode(state, child)),
  }
}

function packMatch(state: PackState, { cpe, isVulnerable }: CpeMatch): string {
  const before = state.cpe
  const length = Math.min(cpe.length, before.length)
  const maxPrefix = Math.min(length, MAX_PREFIX)
  let prefix = 0
  while (prefix < maxPrefix && cpe.charCodeAt(prefix) === before.charCodeAt(prefix)) prefix += 1
  const maxSuffix = Math.min(length - prefix, MAX_SUFFIX)
  let suffix = 0
  while (
    suffix < maxSuffix &&
    cpe.charCodeAt(cpe.length - 1 - suffix) === before.charCodeAt(before.length - 1 - suffix)
  ) {
    suffix += 1
  }
  state.cpe = cpe
  const start = (prefix < 36 ? '0' : '') + prefix.toString(36)
  const middle = cpe.slice(prefix, cpe.length - suffix)
  return (isVulnerable ? 'v' : 'n') + start + suffix.toString(36) + middle
}

function unpackMatch(state: PackState, text: string): CpeMatch {
  const prefix = Number.parseInt(text.slice(1, 3), 36)
  const suffix = Number.parseInt(text.slice(3, 4), 36)
  const end = state.cpe.slice(state.cpe.length - suffix)
  state.cpe = state.cpe.slice(0, prefix) + text.slice(4) + end
  return { isVulnerable: text[0] === 'v', cpe: state.cpe }
}

function addBound(range: VersionRange, text: string): VersionRange {
  const isIncluded = text[1] === '='
  const bound: VersionBound = { version: text.slice(isIncluded ? 2 : 1), isIncluded }
  return text[0] === '>' ? { ...range, from: bound } : { ...range, to: bound }
}
