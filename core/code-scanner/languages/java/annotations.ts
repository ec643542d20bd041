import type { Draft } from '../../lowering/draft.ts'
import { placeOf, textAt, unknownAt } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { stringOf } from './values.ts'

/** Annotations that declare calls of web APIs, or their base. */
const CLIENT =
  /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|HTTP|Path|RequestLine|(?:Get|Post|Put|Patch|Delete|Request)Mapping|(?:Get|Post|Put|Patch|Delete|Http)Exchange|Get|Post|Put|Patch|Delete|Client|FeignClient|ReactiveFeignClient|RegisterRestClient|RetrofitClient|RestController|Controller)$/

/** Of a class, those that say whose calls its methods declare, the surest first. */
const OWNERS = [
  /^(?:Reactive)?FeignClient$|^RegisterRestClient$|^RetrofitClient$|^Client$/,
  /^HttpExchange$/,
  /^(?:Rest)?Controller$|^Path$/,
]

/** Annotations that give a field or parameter the value of a setting, with a fall-back. */
const SETTING = /^(?:Value|ConfigProperty|Property|ConfigValue)$/

interface Annotation {
  readonly name: string
  readonly node: SyntaxNode
}

/** Annotations of a declaration, in order. */
function annotationsOf(node: SyntaxNode): readonly Annotation[] {
  const modifiers = node.namedChildren.find((child) => child?.type === 'modifiers')
  return (modifiers?.namedChildren ?? []).flatMap((child) => {
    if (!child?.type.endsWith('annotation')) return []
    return [{ name: child.childForFieldName('name')?.text.split('.').at(-1) ?? '', node: child }]
  })
}

/**
 * Keeps the annotations of a declaration that declare calls as calls on the annotation of the
 * class; texts of others are documentation.
 */
export function lowerAnnotations(
  node: SyntaxNode,
  { draft, of }: { readonly draft: Draft; readonly of: Expression | undefined },
): void {
  for (const annotation of annotationsOf(node)) {
    const list = annotation.node.childForFieldName('arguments')
    if (!CLIENT.test(annotation.name)) {
      if (list) draft.children(list, 'documentation')
    } else draft.call(callOf(annotation, { draft, of }))
  }
}

/** The annotation of a class that says whose calls its methods declare. */
export function clientAnnotation(owner: SyntaxNode, draft: Draft): Expression | undefined {
  const all = annotationsOf(owner)
  for (const pattern of OWNERS) {
    const found = all.find(({ name }) => pattern.test(name))
    if (!found) continue
    const call = { ...callOf(found, { draft, of: undefined }), scope: draft.scope }
    return { kind: 'call', call, place: call.place }
  }
  return undefined
}

/** What `@Value("${key:fall-back}")` and its like give where nothing is set. */
export function presetOf(node: SyntaxNode): Expression | undefined {
  const setting = annotationsOf(node).find(({ name }) => SETTING.test(name))
  const list = setting?.node.childForFieldName('arguments')
  const pairs = list?.namedChildren ?? []
  const preset = pairs.find((pair) => pair?.childForFieldName('key')?.text === 'defaultValue')
  const literal = preset?.childForFieldName('value') ?? pairs[0]
  if (literal?.type !== 'string_literal') return undefined
  const text = stringOf(literal)
  return preset || /\$\{[^{}:]*:./.test(text) ? settingText(text, literal) : undefined
}

function callOf(
  { name, node }: Annotation,
  { draft, of }: { readonly draft: Draft; readonly of: Expression | undefined },
) {
  const args: Expression[] = []
  const named: Record<string, Expression> = {}
  for (const argument of node.childForFieldName('arguments')?.namedChildren ?? []) {
    if (!argument) continue
    if (argument.type !== 'element_value_pair') args.push(argumentValue(argument, draft))
    else {
      const key = argument.childForFieldName('key')?.text ?? ''
      const value = argument.childForFieldName('value')
      // `value` and `path` are other spellings of the one argument without a name.
      if (value && /^(?:value|path)$/.test(key)) args.push(argumentValue(value, draft))
      else if (value) named[key] = argumentValue(value, draft)
    }
  }
  return { callee: `@${name}`, receiver: of, args, named, place: placeOf(node) }
}

function argumentValue(node: SyntaxNode, draft: Draft): Expression {
  if (node.type === 'string_literal') return settingText(stringOf(node), node)
  if (node.type === 'element_value_array_initializer') {
    const options = node.namedChildren.map((item) =>
      item ? argumentValue(item, draft) : unknownAt(node),
    )
    return options.length === 1 && options[0]
      ? options[0]
      : { kind: 'either', options, place: placeOf(node) }
  }
  return draft.lower(node)
}

/** A text whose settings (`${key:fall-back}`) are replaced by their fall-backs. */
function settingText(text: string, node: SyntaxNode): Expression {
  const whole = text.replaceAll(
    /\$\{[^:{}]*(?::([^{}]*))?\}/g,
    (_, preset?: string) => preset ?? '{}',
  )
  return whole === '{}' ? unknownAt(node) : textAt(whole, node)
}
