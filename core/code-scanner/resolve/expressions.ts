import type { UnresolvedReference } from '../model/file-scan.ts'
import {
  hasReferences,
  type ParameterSlot,
  type Pattern,
  startsOpen,
  UNKNOWN,
} from '../model/pattern.ts'
import type { ArgumentPlace, Call, Expression, Place } from '../model/program.ts'
import type { Names } from './names.ts'

/** What an import's name is in the module that it comes from. */
export function toReference(meaning: {
  readonly from: { readonly module: string; readonly imported: string }
  readonly rest: readonly string[]
}): UnresolvedReference {
  const { module, imported } = meaning.from
  const parts = imported === '*' ? meaning.rest : [imported, ...meaning.rest]
  return { module, name: parts.join('.') }
}

/** What a class that another one extends is called elsewhere. */
export function classReference(name: string, names: Names): UnresolvedReference {
  const imported = names.findImport(name)
  return imported ? toReference(imported) : { module: '', name }
}

/** What other files construct a class with, or call a function with that makes one. */
export function constructionOf(name: string): string {
  return `@new ${name}`
}

/** Members of classes that hold a URL, or a part of one, by their names. */
export const ADDRESS_MEMBER =
  /ur[il]|endpoint|base|host|api|path|address|domain|server|root|prefix/i

/** Where a call gives the value of a parameter. */
export function toPlace(slot: ParameterSlot): ArgumentPlace {
  const place = { at: slot.at, name: slot.name }
  return slot.key === '' ? place : { ...place, key: slot.key }
}

/** The class that a construction names: `new a.Foo`, `Foo.new`, `Foo`. */
export function classNameOf(callee: string): string {
  const name = callee.replace(/^new /, '').replace(/\.new$/, '')
  return name.slice(name.lastIndexOf('.') + 1)
}

/** Members that leave a URL what it is. */
export const SAME_TEXT_MEMBERS = new Set(['href', 'toString', 'AbsoluteUri', 'Uri', 'value'])

/** Calls of a URL that leave it what it is. */
export const SAME_TEXT_CALLS =
  /\.(?:toString|to_string|to_s|trim|trimEnd|strip|rstrip|chomp|replace|set|expand|toURL|toURI|toUri|href|String|as_str|as_ref|into|to_owned|clone|unwrap|unwrap_or_default|expect|build|freeze|format_map|TrimEnd|Trim|ToString|geturl|valueOf|as_string|presence)$/

/** Calls that make a URL of a text. */
export const CONVERSIONS =
  /(?:^|[. ])(?:URL|URI|Uri|Url|HttpUrl|String|str|create|parse|Parse|ParseRequestURI|from_str|from|valueOf|toHttpUrl|toHttpUrlOrNull|encodeURI|freeze|asURL|Uri\.parse|unescape|trim|rtrim|TrimRight|TrimSuffix|trimEnd|trimmingCharacters|as_ref|Some|Ok)$|^new \w*(?:Ur[il]|UR[IL]|UriTemplate)$/

/** Names of environment variables. */
export const ENVIRONMENT =
  /^(?:process\.env|import\.meta\.env|Deno\.env|Bun\.env|os\.environ|ENV)\.(\w+)$/

/** Names whose values only a running program knows. */
export const BROWSER =
  /^(?:process|import\.meta|Deno|Bun|os|ENV|(?:window\.)?location|window|globalThis|document)\b/

/** Whether a slash stands in a text of a value. */
export function hasSlash(value: Expression, level: number): boolean {
  switch (value.kind) {
    case 'text':
      return value.text.includes('/')
    case 'join':
    case 'path':
      return value.kind === 'path' || value.parts.some((part) => hasSlash(part, level + 1))
    case 'format':
      return (
        hasSlash(value.format, level + 1) || value.values.some((one) => hasSlash(one, level + 1))
      )
    case 'either':
      return level < 4 && value.options.some((one) => hasSlash(one, level + 1))
    default:
      return false
  }
}

/** Whether a value is written out where it stands. */
export function isWritten({ kind }: Expression): boolean {
  return kind === 'text' || kind === 'join' || kind === 'format' || kind === 'path'
}

/** Where a call's path is written when that is below the call's own line, else the call's place. */
export function placeOfText(call: Call, values: readonly Expression[]): Place {
  const found = values.find((value) => isWritten(value) && hasSlash(value, 0))
  return found && found.place.line > call.place.line ? found.place : call.place
}

/** Whether a value is a text, or may come to one. */
export function isTextual(value: Expression): boolean {
  return /^(?:text|join|format|path|either|call)$/.test(value.kind)
}

/** Whether a pattern says more than another: texts, then names of other files, then parameters. */
export function saysMore(found: Pattern, first: Pattern): boolean {
  if (!isVague(first)) return false
  return !isVague(found) || (hasReferences(found) && !hasReferences(first))
}

/** Whether a pattern says nothing of its own. */
export function isVague(pattern: Pattern): boolean {
  return pattern === '' || pattern === UNKNOWN || startsOpen(pattern)
}
