import { lastName } from '../model/name-patterns.ts'
import {
  hasReferences,
  hasScheme,
  type ParameterSlot,
  type Pattern,
  startsOpen,
  UNKNOWN,
} from '../model/pattern.ts'
import type { ArgumentPlace, Call, Expression, Place } from '../model/program.ts'

/** The class that a construction names, with its module: `a.Foo` of `new a.Foo` and `a.Foo.new`. */
export function constructedClass(callee: string): string {
  return callee.replace(/^new /, '').replace(/\.new$/, '')
}

/** As `constructedClass`, without the module. */
export function constructedName(callee: string): string {
  return lastName(constructedClass(callee))
}

/** The class of a call that is written like a construction: `new a.Foo`, `Foo`, `Foo.new`. */
export function findConstructedClass(callee: string): string | undefined {
  return CONSTRUCTION.exec(callee)?.[1]
}

const CONSTRUCTION = /^(?:new )?((?:\w+\.)*[A-Z]\w*)(?:\.new)?$/

/** Key in `FileScan.exports` of the arguments that a class or a factory function is called with. */
export function constructionKey(name: string): string {
  return `@new ${name}`
}

/** Members of classes that contain a URL, or a part of one, by their names. */
export const ADDRESS_MEMBER =
  /ur[il]|endpoint|base|host|api|path|address|domain|server|root|prefix/i

/** Calls of the base class's constructor. */
export const BASE_CONSTRUCTOR = /(?:^|\.)(?:super|__init__|__construct)$/

/** Calls of a method of the class itself or a base class. */
export const OWN_METHOD = /^(?:(?:this|super|self|parent)\.)?\w+$/

/** The argument of a call for a parameter. */
export function toPlace({ at, name, key }: ParameterSlot): ArgumentPlace {
  return key === '' ? { at, name } : { at, name, key }
}

/** Whether a value is a record that has no such member, nor members of other records. */
export function isWithout(value: Expression, key: string): boolean {
  return value.kind === 'record' && ![key, '...'].some((one) => Object.hasOwn(value.entries, one))
}

/** Members that return the URL itself. */
export const SAME_TEXT_MEMBERS = new Set(['href', 'toString', 'AbsoluteUri', 'Uri', 'value'])

/** Whether a slash is written in a value. */
export function hasSlash(value: Expression, level = 0): boolean {
  const isInside = (part: Expression) => hasSlash(part, level + 1)
  switch (value.kind) {
    case 'text':
      return value.text.includes('/')
    case 'path':
      return true
    case 'join':
      return value.parts.some(isInside)
    case 'format':
      return isInside(value.format) || value.values.some(isInside)
    case 'either':
      return level < 4 && value.options.some(isInside)
    default:
      return false
  }
}

/** The name or text that a value begins with. */
export function beginningOfValue(value: Expression): Expression {
  const first = value.kind === 'join' ? value.parts[0] : undefined
  return first ? beginningOfValue(first) : value
}

/** Whether a value adds a path to a base: `${base}/users`. */
export function hasPath(value: Expression): boolean {
  const texts = value.kind === 'join' ? value.parts : []
  const [path = ''] = texts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
    .split('?')
  return /\/\w/.test(path)
}

/** Whether a value is a literal, or composed of literals and other values. */
export function isWritten({ kind }: Expression): boolean {
  return kind === 'text' || kind === 'join' || kind === 'format' || kind === 'path'
}

/** Whether a value is a string or may evaluate to one, other than by its name. */
export function isTextual(value: Expression): boolean {
  return isWritten(value) || value.kind === 'either' || value.kind === 'call'
}

/** Where a call's path is written if that is below the call's own line, else the call's place. */
export function placeOfText(call: Call, values: readonly Expression[]): Place {
  const found = values.find((value) => isWritten(value) && hasSlash(value))
  return found && found.place.line > call.place.line ? found.place : call.place
}

/** Whether a pattern is more specific than another: texts, then references, then parameters. */
export function isMoreSpecific(pattern: Pattern, than: Pattern): boolean {
  if (!isVague(than)) return false
  return !isVague(pattern) || (hasReferences(pattern) && !hasReferences(than))
}

/** Whether a pattern begins with no text of its own. */
export function isVague(pattern: Pattern): boolean {
  return pattern === '' || pattern === UNKNOWN || (startsOpen(pattern) && !hasScheme(pattern))
}
