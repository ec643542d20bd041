import type { Draft } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Call, Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { readArguments } from './values.ts'

/** Attributes that declare calls of web APIs, or their base. */
const CLIENT = /^(?:Get|Post|Put|Patch|Delete|Head|Options|BaseAddress|BasePath|HttpHost)$/

/** Of a type, those that say where its methods' calls go. */
const OWNER = /^(?:BaseAddress|HttpHost|BasePath)$/

interface Attribute {
  readonly name: string
  readonly node: SyntaxNode
}

function attributesOf(node: SyntaxNode): readonly Attribute[] {
  return node.namedChildren.flatMap((list) =>
    list?.type === 'attribute_list'
      ? list.namedChildren.flatMap((attribute) =>
          attribute?.type === 'attribute'
            ? [{ name: attribute.childForFieldName('name')?.text ?? '', node: attribute }]
            : [],
        )
      : [],
  )
}

/** Keeps attributes that declare calls, on the one of their type; texts of others document. */
export function lowerAttributes(
  node: SyntaxNode,
  { draft, of }: { readonly draft: Draft; readonly of: Expression | undefined },
): void {
  for (const attribute of attributesOf(node)) {
    const call = callOf(attribute, { draft, of })
    if (CLIENT.test(attribute.name)) draft.call(call)
    else for (const value of call.args) draft.loose(value, 'documentation')
  }
}

/** The attribute of a type that says where the calls go that its methods declare. */
export function attributeOf(owner: SyntaxNode, draft: Draft): Expression | undefined {
  const found = attributesOf(owner).find(({ name }) => OWNER.test(name))
  if (!found) return undefined
  const call = { ...callOf(found, { draft, of: undefined }), scope: draft.scope }
  return { kind: 'call', call, place: call.place }
}

function callOf(
  { name, node }: Attribute,
  { draft, of }: { readonly draft: Draft; readonly of: Expression | undefined },
): Omit<Call, 'scope'> {
  const list = node.namedChildren.find((child) => child?.type === 'attribute_argument_list')
  return {
    callee: `@${name}`,
    receiver: of,
    ...readArguments(list ?? null, draft),
    place: placeOf(node),
  }
}
