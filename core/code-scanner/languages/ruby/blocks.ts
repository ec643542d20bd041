import { anyOf } from '../../lowering/built-texts.ts'
import type { Draft } from '../../lowering/draft.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** The path that a request is given in its block: `request.url '/x'`, `request.path = '/x'`. */
export function pathOfBlock(node: SyntaxNode): SyntaxNode | undefined {
  const method = node.childForFieldName('method')?.text ?? ''
  const block = node.childForFieldName('block')
  const name = block?.childForFieldName('parameters')?.namedChild(0)?.text
  if (!block || name === undefined || !REQUESTS.test(`.${method}`)) return undefined
  for (const one of block.childForFieldName('body')?.namedChildren ?? []) {
    const isSet = one?.type === 'assignment'
    const target = isSet ? one.childForFieldName('left') : one
    if (target?.type !== 'call' || target.childForFieldName('receiver')?.text !== name) continue
    if (!/^(?:url|path)$/.test(target.childForFieldName('method')?.text ?? '')) continue
    const value = isSet
      ? one?.childForFieldName('right')
      : target.childForFieldName('arguments')?.namedChild(0)
    if (value) return value
  }
  return undefined
}

/** A block, its parameter standing for what the call gives it. */
export function lowerBlock(
  node: SyntaxNode,
  { made, draft }: { readonly made: Expression | undefined; readonly draft: Draft },
): undefined {
  const block = node.childForFieldName('block')
  if (!block) return undefined
  const name = node.childForFieldName('method')?.text ?? ''
  const given = block.childForFieldName('parameters')?.namedChildren ?? []
  const parameters = given.map((one) => one?.childForFieldName('name')?.text ?? one?.text ?? '')
  const [first] = parameters
  const value = made && givenTo(`.${name}`, made)
  return draft.within({ kind: 'function', name: '', parameters: value ? [] : parameters }, () => {
    if (first !== undefined && value) {
      draft.bind({ name: first, value, kind: 'variable', isExported: false, place: value.place })
    }
    return draft.statement(block.childForFieldName('body'))
  })
}

function givenTo(callee: string, made: Expression): Expression | undefined {
  if (GIVES_SELF.test(callee) || REQUESTS.test(callee)) return made
  if (!GIVES_EACH.test(callee) || made.kind !== 'call') return undefined
  return made.call.receiver && anyOf(made.call.receiver)
}

/** Calls whose block is given what they give. */
const GIVES_SELF =
  /(?:^|\.)(?:new|start|tap|then|yield_self|open|persistent|build|configure|config|setup|connection|yield)$/

/** Calls whose block is given one of what they are called on. */
const GIVES_EACH =
  /\.(?:each|map|each_with_object|flat_map|find|select|reject|each_with_index|filter_map|any\?|all\?|lazy|each_value|collect)$/

/** Requests that take their path in a block: `connection.post { |request| request.url '/x' }`. */
const REQUESTS = /\.(?:get|post|put|patch|delete|head|options|run_request)$/
