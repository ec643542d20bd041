import { matchNames } from '../model/name-patterns.ts'
import type { Call, Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft } from './draft.ts'
import { placeOf } from './lowered.ts'
import { type Part, partOf } from './names.ts'

/** How a language writes annotations, and which of them declare calls; names are patterns. */
export interface AnnotationShape {
  /** Node that holds the annotations of a declaration. */
  readonly list: string
  readonly types: string
  readonly arguments: Part
  /** Annotations that declare calls, or their base. */
  readonly clients: string
  /** Of a class, those that say whose calls its methods declare, the surest first. */
  readonly owners: readonly string[]
  /** Annotations that give a field or parameter the value of a setting, with a fall-back. */
  readonly settings?: string
}

/** Reads the annotations of declarations. */
export interface Annotations {
  /** Keeps those that declare calls as calls on `of`; texts of others are documentation. */
  lower(node: SyntaxNode, given: { readonly draft: Draft; readonly of?: Expression }): void
  /** The annotation of a class that says whose calls its methods declare. */
  ownerOf(node: SyntaxNode, draft: Draft): Expression | undefined
  /** Default in `@Value("${key:default}")` and similar annotations. */
  presetOf(node: SyntaxNode, draft: Draft): Expression | undefined
}

export function annotations(shape: AnnotationShape): Annotations {
  const types = new Set(shape.types.split(' '))
  const isClient = matchNames(shape.clients)
  const owners = shape.owners.map(matchNames)
  const isSetting = matchNames(shape.settings ?? '')

  const annotationsOf = (node: SyntaxNode) =>
    node.namedChildren.flatMap((list) =>
      list?.type === shape.list
        ? list.namedChildren.flatMap((one) => (one && types.has(one.type) ? [one] : []))
        : [],
    )
  const nameOf = (node: SyntaxNode) => node.childForFieldName('name')?.text.split('.').at(-1) ?? ''
  const callOf = (
    node: SyntaxNode,
    { draft, of }: { readonly draft: Draft; readonly of?: Expression },
  ): Omit<Call, 'scope'> => {
    const given = draft.rules.readArguments(partOf(node, shape.arguments), draft)
    // `value` and `path` are other spellings of the one argument without a name.
    const { value, path, ...named } = given.named
    const args = [...given.args, ...(value ? [value] : []), ...(path ? [path] : [])]
    return {
      callee: `@${nameOf(node)}`,
      receiver: of,
      args: args.map(filled),
      named: Object.fromEntries(Object.entries(named).map(([key, one]) => [key, filled(one)])),
      place: placeOf(node),
    }
  }
  return {
    lower(node, { draft, ...of }) {
      for (const one of annotationsOf(node)) {
        const list = partOf(one, shape.arguments)
        if (isClient(nameOf(one))) draft.call(callOf(one, { draft, ...of }))
        else if (list) draft.children(list, 'documentation')
      }
    },
    ownerOf(node, draft) {
      const all = annotationsOf(node)
      for (const isOwner of owners) {
        const found = all.find((one) => isOwner(nameOf(one)))
        if (!found) continue
        const call = { ...callOf(found, { draft }), scope: draft.scope }
        return { kind: 'call', call, place: call.place }
      }
      return undefined
    },
    presetOf(node, draft) {
      const setting = annotationsOf(node).find((one) => isSetting(nameOf(one)))
      if (!setting) return undefined
      const { args, named } = draft.rules.readArguments(partOf(setting, shape.arguments), draft)
      const preset = named.defaultValue ?? named.value ?? args[0]
      if (preset?.kind !== 'text') return undefined
      return named.defaultValue || SETTING.test(preset.text) ? filled(preset) : undefined
    },
  }
}

/** A setting with a fall-back: `${key:fall-back}`. */
const SETTING = /\$\{[^{}:]*:./

/** Replaces settings in a value by their defaults, and those without a default by `{}`. */
function filled(value: Expression): Expression {
  if (value.kind === 'either') return { ...value, options: value.options.map(filled) }
  if (value.kind !== 'text') return value
  const text = value.text.replaceAll(
    /\$\{[^:{}]*(?::([^{}]*))?\}/g,
    (_, fallback?: string) => fallback ?? '{}',
  )
  return text === '{}' ? { kind: 'unknown', place: value.place } : { ...value, text }
}
