import { plainText } from '../lowering/built-texts.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { placeOf } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** `use A\B\{C, D as E}`: one import of each class, function or constant. */
export const lowerUse: Lowering = (node, draft) => {
  const prefix = partOf(node, '<namespace_name>')?.text ?? ''
  for (const clause of (node.childForFieldName('body') ?? node).namedChildren) {
    if (clause.type !== 'namespace_use_clause') continue
    const name = `${prefix}\\${clause.namedChild(0)?.text}`
    const alias = clause.childForFieldName('alias')?.text
    importClass(name, { node: clause, draft, local: alias ?? name.split('\\').pop() ?? '' })
  }
  return undefined
}

/** Imports a class of its whole name: `\A\B::class`; of `new \A\B()`, only the vendor of a login. */
export function usesClass(lower: Lowering): Lowering {
  return (node, draft) => {
    const [type, member] = node.namedChildren
    if (type?.type === 'qualified_name') {
      if (member?.text === 'class') importClass(type.text, { node: type, draft, local: '' })
      else importLogin(type.text, { node: type, draft })
    }
    return lower(node, draft)
  }
}

/** Imports all names of the file in `require __DIR__ . '/config.php'`. */
export const lowerInclude: Lowering = (node, draft) => {
  const value = draft.lower(node.namedChild(0))
  const path = plainText(value.kind === 'join' ? value.parts.at(-1) : value)
  if (path === undefined) return undefined
  const module = `./${path.replace(/^\.?\//, '').replace(/\.php$/, '')}`
  return draft.import({ module, local: '*', imported: '*', place: placeOf(node) })
}

function importClass(
  written: string,
  { node, draft, local }: { readonly node: SyntaxNode; draft: Draft; readonly local: string },
): void {
  const parts = written.split('\\').filter(Boolean)
  const name = parts.pop() ?? ''
  const from = parts.length === 0 ? [name, '*'] : [parts.join('\\'), name]
  const [module = '', imported = ''] = from
  draft.import({ module, local, imported, place: placeOf(node) })
  importLogin(written, { node, draft })
}

/** Imports the vendor of a login that a class is for: `Acme\OAuth2\Client\Provider\Discord`. */
function importLogin(
  written: string,
  { node, draft }: { readonly node: SyntaxNode; draft: Draft },
): void {
  const [, library, vendor] = LOGIN_CLASS.exec(written) ?? []
  const module = `${library}/${vendor}`.toLowerCase()
  if (library) draft.import({ module, local: '', imported: '*', place: placeOf(node) })
}

const LOGIN_CLASS = /(?:^|\\)(SocialiteProviders|OAuth2(?=\\Client))(?:\\Client\\Provider)?\\(\w+)/
