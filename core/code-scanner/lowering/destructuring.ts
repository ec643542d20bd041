import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { eitherOf, memberOf } from './built-texts.ts'
import type { Parameter } from './definitions.ts'
import type { Draft } from './draft.ts'
import { placeOf, withoutExtras } from './lowered.ts'
import { byNodeType, type Part, partOf } from './names.ts'

/** Syntax of patterns that take values from members: `const { url, api: { host = 'x' } } = config`. */
export interface PatternShape {
  /** Types of patterns whose children are members. */
  readonly records: string
  /** Types of patterns whose children are items. */
  readonly lists: string
  /** Members that are named differently: their key, and the name or pattern. */
  readonly pairs: Readonly<Record<string, { readonly key: Part; readonly value: Part }>>
  /** Names or patterns with a default. */
  readonly presets: Readonly<Record<string, { readonly name: Part; readonly preset: Part }>>
  readonly keyOf: (node: SyntaxNode) => string | undefined
}

/** A name that a pattern declares. */
export interface PatternName {
  readonly name: string
  readonly node: SyntaxNode
  /** Keys of the member, from the outside in. */
  readonly path: readonly string[]
  readonly preset: SyntaxNode | null
}

/** Deepest nesting of patterns. */
const MAX_NESTED = 8

/** Reads the names of patterns. */
export function patterns(
  shape: PatternShape,
): (pattern: SyntaxNode, path?: readonly string[]) => readonly PatternName[] {
  const lists = new Set(shape.lists.split(' '))
  const presets = byNodeType(shape.presets)
  const types = new Set([...lists, ...shape.records.split(' ')])
  return function namesOf(pattern, path = []): readonly PatternName[] {
    if (path.length > MAX_NESTED) return []
    let index = 0
    return pattern.children.flatMap((child) => {
      // Items may be left out: `[, value]`.
      if (child.type === ',') index += 1
      if (!child.isNamed) return []
      const pair = shape.pairs[child.type]
      const target = pair ? partOf(child, pair.value) : child
      const withPreset = target ? presets.get(target.type) : undefined
      const node = target && withPreset ? partOf(target, withPreset.name) : target
      if (!node) return []
      const keyNode = pair ? partOf(child, pair.key) : node
      const key = lists.has(pattern.type) ? `${index}` : keyNode && shape.keyOf(keyNode)
      const inner = [...path, key ?? '*']
      if (types.has(node.type)) return namesOf(node, inner)
      const preset = target && withPreset ? partOf(target, withPreset.preset) : null
      return /^[\w$]+$/.test(node.text) ? [{ name: node.text, node, path: inner, preset }] : []
    })
  }
}

/** Binds the names of a pattern to members of a value, or to their defaults. */
export function bindNames(
  names: readonly PatternName[],
  {
    value: from,
    draft,
    isExported = false,
  }: { readonly value: Expression; readonly draft: Draft; readonly isExported?: boolean },
): undefined {
  for (const { name, node, path, preset } of names) {
    const member = path.reduce(memberOf, from)
    const options = [
      ...(member.kind === 'unknown' ? [] : [member]),
      ...(preset ? [draft.lower(preset)] : []),
    ]
    const value = eitherOf(options)
    if (value) draft.bind({ name, value, isExported, place: placeOf(node) })
  }
  return undefined
}

/**
 * Reads parameters that may be patterns, which are named by their position: `argument0`. A list that
 * is a name is the only parameter.
 */
export function parametersOf(
  list: SyntaxNode | null,
  shape: { readonly name: Part; readonly type: Part; readonly preset: Part },
): readonly Parameter[] {
  const nodes = list?.type === 'identifier' ? [list] : withoutExtras(list?.namedChildren ?? [])
  return nodes.map((parameter, index) => {
    const node = partOf(parameter, shape.name) ?? parameter
    const name = node.type === 'identifier' ? node.text : `argument${index}`
    const type = partOf(parameter, shape.type)
    return { name, node, type, preset: partOf(parameter, shape.preset) }
  })
}
