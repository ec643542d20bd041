import { ownEntry } from '../model/collections.ts'
import type { ArgumentValue, Exported, ExternalCall, FileScan } from '../model/file-scan.ts'
import {
  beginningOf,
  defaultOf,
  fillSlots,
  fromSlot,
  hasScheme,
  onlySlot,
  type ParameterSlot,
  type Pattern,
  referencesIn,
  toText,
} from '../model/pattern.ts'
import { MAIN } from '../model/program.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import type { ClassPlace } from './class-hierarchy.ts'

/** The field that a setter is named after: `url` of `@setUrl`. */
export function fieldOf(setter: string, { name, file }: ClassPlace): Exported | undefined {
  const field = /^@set_?(\w)(\w*)$/.exec(setter)
  if (!field) return undefined
  return ownEntry(file.exports, `${name}.${field[1]?.toLowerCase()}${field[2]}`)
}

/** Whether a pattern begins with a scheme or a host. */
export function isAddress(url: Pattern): boolean {
  return hasScheme(url) || startsWithHost(toText(url))
}

/** The class whose members a pattern asks for, which others may extend. */
export function ownerIn(pattern: Pattern, file: FileScan): ClassPlace | undefined {
  const [name] = referencesIn(pattern).flatMap(
    (index) => file.references[index]?.enclosingClass ?? [],
  )
  return name === undefined ? undefined : { name, file }
}

/** Where a class defines the path of a request that a base class sends. */
export function pathPlaceOf(
  url: Pattern,
  { file, heir }: { readonly file: FileScan; readonly heir: ClassPlace },
): Exported['place'] {
  const known = referencesIn(url).flatMap((index) => {
    const { enclosingClass: owner, name = '' } = file.references[index] ?? {}
    const member = name.replace(/^\^\.|\(\)$/g, '')
    const own = ownEntry(heir.file.exports, `${heir.name}.${member}`) ?? fieldOf(member, heir)
    return owner !== undefined && own?.place ? [own] : []
  })
  const isBase = ({ value, returns, argumentLists }: Exported) =>
    isAddress(value ?? returns ?? argumentLists?.[0]?.[0]?.value ?? '')
  return known.findLast((each) => !isBase(each))?.place
}

/** The argument for a parameter, by position or name. */
export function valueAt(
  given: readonly ArgumentValue[],
  slot: Pick<ArgumentValue, 'at' | 'name' | 'key'>,
): Pattern | undefined {
  return given.find(
    ({ at, name, key }) =>
      (key === slot.key || (key === 'host' && slot.key === 'hostname')) &&
      (at === slot.at || (name !== '' && name === slot.name)),
  )?.value
}

/** Key of an argument that may have members which are not known. */
export const OPEN_KEY = '...'

/** Fills the parameters of a pattern by the arguments of a call. */
export function fillBy(pattern: Pattern, args: readonly ArgumentValue[]): Pattern {
  return fillSlots(pattern, (slot: ParameterSlot) => {
    const open = slot.omitted !== undefined && valueAt(args, { ...slot, key: OPEN_KEY })
    return valueAt(args, slot) ?? (open === undefined ? slot.omitted : undefined) ?? defaultOf(slot)
  })
}

/** The method that an option of a script selects: `api.sh "$path" -X DELETE`. */
export function scriptMethod({ target, args }: ExternalCall): Pattern | undefined {
  return target.name === MAIN ? args.find(({ name }) => name === 'method')?.value : undefined
}

/** Splits a request in one string: `GET /users/{id}`. */
export function splitMethod(pattern: Pattern): { method: string; url: Pattern } | undefined {
  const first = beginningOf(pattern)
  const [start, method] = /^([A-Z]{3,7}) (?=\/)/.exec(first) ?? []
  if (start === undefined || method === undefined) return undefined
  const rest = first.slice(start.length)
  const url = typeof pattern === 'string' ? rest : { parts: [rest, ...pattern.parts.slice(1)] }
  return { method: method.toLowerCase(), url }
}

/** A constant that is a method: `HttpMethod.Post`, `http.MethodPost`, `Method.POST`. */
export const METHOD_NAME =
  /(?:^|[._]|Method|METHOD_)(get|post|put|patch|delete|head|options)(?:Async)?$/i

/** `HttpMethod.Post`, `"POST"`, `Method.POST` to `post`. */
export function toMethod(found: Pattern): Pattern {
  if (typeof found !== 'string') return found
  return found.slice(found.lastIndexOf('.') + 1).toLowerCase()
}

/** A member of a parameter, which callers may omit from a record of options. */
export function omittedMember(found: Pattern, omitted: string): Pattern | undefined {
  const slot = onlySlot(found)
  return slot?.key ? fromSlot({ omitted, ...slot }) : undefined
}
