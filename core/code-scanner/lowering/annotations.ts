import { lastName, matchNames } from '../model/name-patterns.ts'
import { type Call, classKey, type Expression, SELECTED } from '../model/program.ts'
import { toSettingName } from '../model/setting-keys.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft } from './draft.ts'
import { joinOf, placeOf } from './lowered.ts'
import { type Part, partOf } from './names.ts'

/** Syntax of annotations, and those that declare calls. Names are name patterns. */
export interface AnnotationShape {
  /** Node that contains the annotations of a declaration. */
  readonly list: string
  readonly types: string
  readonly arguments: Part
  /** Annotations that declare calls or a base URL. */
  readonly clients: string
  /** Annotations of a class that its methods' calls belong to, most reliable first. */
  readonly owners: readonly string[]
  /** Annotations of methods that create objects to inject. */
  readonly providers?: string
  /** Annotations that inject a setting into a field or parameter. */
  readonly settings?: string
}

/** Reads the annotations of declarations. */
export interface Annotations {
  /** Records those that declare calls as calls on `of`; strings of others are documentation. */
  lower(node: SyntaxNode, options: { readonly draft: Draft; readonly of?: Expression }): void
  /** Returns the annotation of a class that its methods' calls belong to. */
  ownerOf(node: SyntaxNode, draft: Draft): Expression | undefined
  /** The keys by which an object is injected that a method creates: a qualifier, its name or type. */
  providedBy(node: SyntaxNode, method: { name: string; type: string }): readonly string[]
  /**
   * Returns a field or parameter that is injected by a qualifier: `@Named("geo") client: WebClient`.
   * Custom qualifiers count for parameters of providers and for clients.
   */
  selected(node: SyntaxNode, at: { type: SyntaxNode | null; draft: Draft }): Expression | undefined
  /** Reads the setting of `@Value("${key:default}")` and similar annotations. */
  presetOf(node: SyntaxNode, draft: Draft): Expression | undefined
}

export function annotations(shape: AnnotationShape): Annotations {
  const types = new Set(shape.types.split(' '))
  const isClient = matchNames(shape.clients)
  const owners = shape.owners.map(matchNames)
  const isSetting = matchNames(shape.settings ?? '')

  const isProvider = matchNames(shape.providers ?? '')

  const annotationsOf = (node: SyntaxNode) =>
    (node.type.endsWith('_modifiers') ? [node] : node.namedChildren)
      .filter(({ type }) => type.endsWith(shape.list))
      .flatMap((list) => list.namedChildren.filter(({ type }) => types.has(type)))
  const nameOf = (node: SyntaxNode) => {
    const name = node.childForFieldName('name')?.text ?? NAME.exec(node.text)?.[1]
    return lastName(name ?? '')
  }
  const callOf = (
    node: SyntaxNode,
    { draft, of }: { readonly draft: Draft; readonly of?: Expression },
  ): Omit<Call, 'scope'> => {
    const read = draft.rules.readArguments(partOf(node, shape.arguments), draft)
    // `value` and `path` name the same argument as the one without a name.
    const { value, path, ...named } = read.named
    const args = [...read.args, ...(value ? [value] : []), ...(path ? [path] : [])]
    return {
      callee: `@${nameOf(node)}`,
      receiver: of,
      args: args.map(filled),
      named: Object.fromEntries(Object.entries(named).map(([key, value]) => [key, filled(value)])),
      place: placeOf(node),
    }
  }
  const qualifierOf = (node: SyntaxNode): string | undefined => {
    for (const annotation of annotationsOf(node)) {
      const name = nameOf(annotation)
      const isNamed = QUALIFIERS.has(name)
      const key = isNamed ? /"([^"\n]+)"/.exec(annotation.text)?.[1] : name
      if (key !== undefined && (isNamed || !UNQUALIFIED.test(name))) return key
    }
    return undefined
  }
  return {
    providedBy(node, { name, type }) {
      const known = annotationsOf(node).map(nameOf)
      if (!known.some(isProvider)) return []
      const qualifier = qualifierOf(node)
      const own = known.includes('Bean') ? [name] : []
      return qualifier === undefined ? [...own, type] : [qualifier, ...own]
    },
    selected(node, { type, draft }) {
      const key = shape.providers === undefined ? undefined : qualifierOf(node)
      if (key === undefined) return undefined
      const value: Expression = { kind: 'name', name: classKey(key), place: placeOf(node) }
      const made = draft.typed(type)
      if (made) return { ...made, call: { ...made.call, named: { [SELECTED]: value } } }
      const method = node.parent?.parent
      const isKnown = method && annotationsOf(method).some((one) => isProvider(nameOf(one)))
      return isKnown ? value : undefined
    },
    lower(node, { draft, ...of }) {
      for (const annotation of annotationsOf(node)) {
        const list = partOf(annotation, shape.arguments)
        if (isClient(nameOf(annotation))) draft.call(callOf(annotation, { draft, ...of }))
        else if (list) draft.children(list, 'documentation')
      }
    },
    ownerOf(node, draft) {
      const all = annotationsOf(node)
      for (const isOwner of owners) {
        const found = all.find((annotation) => isOwner(nameOf(annotation)))
        if (!found) continue
        return draft.resultOf(callOf(found, { draft }))
      }
      return undefined
    },
    presetOf(node, draft) {
      const setting = annotationsOf(node).find((annotation) => isSetting(nameOf(annotation)))
      if (!setting) return undefined
      const { args, named } = draft.rules.readArguments(partOf(setting, shape.arguments), draft)
      const preset = named.defaultValue ?? named.value ?? named.name ?? args[0]
      if (preset?.kind !== 'text') return undefined
      if (named.defaultValue || preset.text.includes('${')) return filled(preset)
      // Quarkus and Micronaut name the setting alone.
      const isKey = /^[\w-]+(?:\.[\w-]+)+$/.test(preset.text)
      const name = toSettingName(preset.text.split('.'))
      return isKey ? { kind: 'name', name, place: preset.place } : undefined
    },
  }
}

/** Annotations that select one of several objects by its name. */
const QUALIFIERS = new Set(['Named', 'Qualifier', 'Resource', 'Bean'])

/** Annotations that select none. */
const UNQUALIFIED =
  /^(?:Provides|Produces|Singleton|Jvm\w+|Reusable|\w*Scoped?|Primary|Lazy|Conditional\w*|Override|Inject|Autowired|\w*Null\w*)$/

/** `@Name`, `@field:Name`. */
const NAME = /^@(?:\w+:)?([\w.]+)/

/** A setting, with a fallback or without one: `${key:fallback}`. */
const SETTING = /\$\{([^:{}]*)(?::([^{}]*))?\}/

/** Replaces settings in a value by their defaults, or by their names without one. */
function filled(value: Expression): Expression {
  if (value.kind === 'either') return { ...value, options: value.options.map(filled) }
  if (value.kind !== 'text' || !value.text.includes('${')) return value
  const { place } = value
  const parts: Expression[] = []
  // Every third part is text, between the key and the fallback of a setting.
  const pieces = value.text.split(SETTING)
  for (let at = 0; at < pieces.length; at += 3) {
    const [text = '', key, fallback] = pieces.slice(at, at + 3)
    if (text !== '') parts.push({ kind: 'text', text, place })
    if (fallback !== undefined) parts.push({ kind: 'text', text: fallback, place })
    else if (key !== undefined) {
      parts.push({ kind: 'name', name: toSettingName(key.split('.')), place })
    }
  }
  return joinOf(parts) ?? value
}
