import { plainText } from '../../lowering/built-texts.ts'
import type { Draft } from '../../lowering/draft.ts'
import type { GivenArguments } from '../../lowering/given-arguments.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/**
 * Takes declarations: a default of a member (`base_uri 'https://…'`), what a file requires or a class
 * includes. Whether the call was one.
 */
export function declare(
  name: string,
  {
    args,
    named,
    node,
    draft,
  }: GivenArguments & { readonly node: SyntaxNode; readonly draft: Draft },
): boolean {
  const [first, second] = args
  const bind = (member: string, value: Expression) => {
    const place = placeOf(node)
    draft.bind({ name: `this.${member}`, value, kind: 'field', isExported: true, place })
    return true
  }
  if (/^(?:include|extend|require)$/.test(name) && first) {
    const module = first.kind === 'name' ? first.name : plainText(first)
    if (module === undefined) return false
    draft.import({ module, local: '', imported: '*', place: first.place })
    return true
  }
  if (name === 'require_relative' && plainText(first) !== undefined) {
    const module = `./${plainText(first)}`
    draft.import({ module, local: '*', imported: '*', place: placeOf(node) })
    return true
  }
  if (/^(?:base_uri|base_url|endpoint|host|site)$/.test(name) && first) return bind(name, first)
  if (!DECLARATIONS.test(name) || !first) return false
  const value = named.default ?? second
  const member = plainText(first)
  return value !== undefined && member !== undefined && bind(member, value)
}

const DECLARATIONS =
  /^(?:option|attribute|class_attribute|[mc]attr_accessor|setting|property|config_param|param|field)$/
