import { holdsText } from '../lowering/lowered.ts'
import type { NameOf } from '../lowering/names.ts'
import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Methods of a text or URL that leave a URL what it is. */
export const SAME = `freeze dup to_{s,str,sym} strip{,_heredoc} chomp squish html_safe presence normalize
  downcase delete_{prefix,suffix} sub gsub tr with_indifferent_access symbolize_keys squiggly clone itself
  encode force_encoding`

/** Methods that are called, also without arguments; others are readers then. */
const isCalled = matchNames(`new get post put patch delete head call execute perform run open create
  build instance start default ${SAME}`)

/** Parts of a URL that stand for it: `uri.host`. */
const URL_PART = /^(?:host|hostname|request_uri|origin|path)$/

/** `self.class.x` reads what the class has, as `self.x` what the instance has. */
export function readerName(node: SyntaxNode, nameOf: NameOf, depth = 0): string | undefined {
  const method = node.childForFieldName('method')?.text ?? ''
  const object = node.childForFieldName('receiver')
  if (node.childForFieldName('arguments') || node.childForFieldName('block')) return undefined
  if (depth > 50 || (depth === 0 && isCalled(method))) return undefined
  if (URL_PART.test(method) && /ur[il]$/i.test(object?.text ?? '')) return undefined
  const owner = object?.type === 'call' ? readerName(object, nameOf, depth + 1) : nameOf(object)
  return owner === undefined || method === 'class' ? owner : `${owner}.${method}`
}

/** The name of a constant; `::A` within a module `A` is `Object.A`. */
export function constantName(node: SyntaxNode, nameOf: NameOf): string | undefined {
  const name = node.namedChildren.flatMap((one) => nameOf(one) ?? []).join('.')
  for (let at = node.childForFieldName('scope') ? null : node.parent; at; at = at.parent)
    if (at.childForFieldName('name')?.text === name) return `Object.${name}`
  return name || undefined
}

/** Whether a string is appended to a variable: `url << '/users'`, unlike `'/users/' << id`. */
export function isAppendedName(node: SyntaxNode): boolean {
  return node.childForFieldName('operator')?.text === '<<' && !/^["']/.test(node.text)
}

/** Whether a method of HTTP has a symbol, which is a key and no URL: `hash.delete(:key)`. */
export function takesSymbol(node: SyntaxNode): boolean {
  const method = node.childForFieldName('method')?.text ?? ''
  if (!/^(?:get|post|put|patch|delete)$/.test(method)) return false
  return node.childForFieldName('arguments')?.namedChild(0)?.type === 'simple_symbol'
}

/** Whether a call is on the text of a URL: `URI(url).open`, unlike `root.join('a').read`. */
export function mayBeUri(node: SyntaxNode, receiver: Expression): boolean {
  const text = node.childForFieldName('receiver')?.text ?? ''
  return /^URI[.(]/.test(text) || (holdsText(receiver) && !/\.join[ (]/.test(text))
}
