/**
 * A URL, or a part of one, as far as one file states it: a string if every part is text or unknown
 * (`{}`), otherwise a list of parts of which callers or other files supply some.
 */
export type Pattern = string | OpenPattern

/** A pattern with a part that is neither text nor unknown; adjacent texts are merged. */
export interface OpenPattern {
  readonly parts: readonly PatternPart[]
}

export type PatternPart = string | ReferencePart | ParameterSlot

/** A name that another file may define: index into `FileScan.references`. */
export interface ReferencePart {
  readonly reference: number
}

/** A parameter of a function, whose callers supply the value. */
export interface ParameterSlot {
  /** Scope of the function. */
  readonly scope: number
  readonly at: number
  readonly name: string
  /** Member of the parameter's value, or empty. */
  readonly key: string
  /** URL that applies where a caller passes none. */
  readonly preset?: string
  /** Value that applies where a caller passes a record without this member, or no record. */
  readonly omitted?: string
}

/** An unknown part. */
export const UNKNOWN = '{}'

/** Language of files that define environment variables, and the module of their names. */
export const ENVIRONMENT_LANGUAGE = 'environment'

/** Creates the pattern of a string in a source file. */
export function fromText(text: string): Pattern {
  return text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text
}

/** Creates a pattern of one reference. */
export function fromReference(reference: number): Pattern {
  return { parts: [{ reference }] }
}

/** Creates a pattern of one parameter. */
export function fromSlot(slot: ParameterSlot): Pattern {
  return { parts: [slot] }
}

/** Concatenates patterns. */
export function concat(patterns: readonly Pattern[]): Pattern {
  return assemble(patterns.flatMap(partsOf))
}

/** Joins URL segments with one slash each; leaves out empty ones. A whole URL replaces what precedes it. */
export function joinSegments(segments: readonly Pattern[]): Pattern {
  let joined: Pattern = ''
  for (const segment of segments) {
    if (segment === '') continue
    if (joined === '' || hasScheme(segment)) joined = segment
    else if (/^[?#]/.test(beginningOf(segment))) joined = concat([joined, segment])
    else {
      const after = mapBeginning(segment, (text) => text.replace(/^\/+/, ''))
      joined = concat([withoutEnd(joined), '/', after])
    }
  }
  return joined
}

/** Replaces the parameters for which `fill` returns a value. */
export function fillSlots(
  pattern: Pattern,
  fill: (slot: ParameterSlot) => Pattern | undefined,
): Pattern {
  if (!hasSlots(pattern)) return pattern
  return replaceParts(pattern, (part) => (isSlot(part) ? fill(part) : undefined))
}

/** Replaces all references: by unknown where `fill` returns undefined. */
export function fillReferences(
  pattern: Pattern,
  fill: (index: number) => Pattern | undefined,
): Pattern {
  if (!hasReferences(pattern)) return pattern
  return replaceParts(pattern, (part) =>
    isReference(part) ? (fill(part.reference) ?? UNKNOWN) : undefined,
  )
}

/** Replaces all matches of a global regular expression in the text of a pattern. */
export function replaceInText(
  pattern: Pattern,
  {
    find,
    replace,
  }: { readonly find: RegExp; readonly replace: (match: RegExpExecArray) => Pattern },
): Pattern {
  return replaceParts(pattern, (part) => {
    if (typeof part !== 'string') return undefined
    const found: Pattern[] = []
    let end = 0
    for (const match of part.matchAll(find)) {
      found.push(part.slice(end, match.index), replace(match))
      end = match.index + match[0].length
    }
    return end === 0 ? undefined : concat([...found, part.slice(end)])
  })
}

/** Replaces an unknown part or a reference at the beginning. */
export function replaceHead(pattern: Pattern, head: Pattern): Pattern {
  const [first = '', ...rest] = partsOf(pattern)
  if (isReference(first)) return assemble([...partsOf(head), ...rest])
  if (typeof first !== 'string' || !first.startsWith(UNKNOWN)) return pattern
  return assemble([...partsOf(head), first.slice(UNKNOWN.length), ...rest])
}

/** Replaces the text before the first reference or parameter. */
export function mapBeginning(pattern: Pattern, map: (text: string) => string): Pattern {
  const [first, ...rest] = partsOf(pattern)
  return typeof first === 'string' ? assemble([map(first), ...rest]) : pattern
}

/** Whether some part is a parameter. */
export function hasSlots(pattern: Pattern): boolean {
  return typeof pattern !== 'string' && pattern.parts.some(isSlot)
}

/** Whether some part is a reference. */
export function hasReferences(pattern: Pattern): boolean {
  return typeof pattern !== 'string' && pattern.parts.some(isReference)
}

/** Whether a reference or a parameter comes first, which may supply a whole URL. */
export function startsOpen(pattern: Pattern): boolean {
  return typeof pattern !== 'string' && typeof pattern.parts[0] !== 'string'
}

/** Whether a reference comes first. */
export function startsWithReference(pattern: Pattern): boolean {
  return isReference(partsOf(pattern)[0])
}

/** Returns the parameter that comes first. */
export function firstSlot(pattern: Pattern): ParameterSlot | undefined {
  return partsOf(pattern).slice(0, 1).find(isSlot)
}

/** Returns the references of a pattern. */
export function referencesIn(pattern: Pattern): readonly number[] {
  return partsOf(pattern).flatMap((part) => (isReference(part) ? [part.reference] : []))
}

/** Returns the reference that a pattern consists of; undefined if it has other parts. */
export function onlyReference(pattern: Pattern): number | undefined {
  const parts = partsOf(pattern)
  return parts.length === 1 && isReference(parts[0]) ? parts[0].reference : undefined
}

/** Returns the parameter that a pattern consists of; undefined if it has other parts. */
export function onlySlot(pattern: Pattern): ParameterSlot | undefined {
  const parts = partsOf(pattern)
  return parts.length === 1 && isSlot(parts[0]) ? parts[0] : undefined
}

/** Whether a pattern begins with a scheme of the web, or with an unknown one. */
export function hasScheme(pattern: Pattern): boolean {
  const text = typeof pattern === 'string' ? pattern : rawText(pattern.parts.slice(0, 4))
  return SCHEME.test(text)
}

/**
 * Returns a pattern as text; every unknown part, placeholders included, is `{}`. Queries of URI
 * templates (RFC 6570), as `{?page,size}`, are removed.
 */
export function toText(pattern: Pattern): string {
  return rawText(partsOf(pattern))
    .replaceAll(/\{[?&][^{}\s/]{1,200}\}/g, '')
    .replaceAll(PLACEHOLDER, UNKNOWN)
    .replaceAll(/(?<=\/):[A-Za-z_]\w*/g, UNKNOWN)
    .replaceAll(/(?:\{\}){2,}/g, UNKNOWN)
    .replace(/^\s*(?:http)?\{\}:\/\/(?=[^/])/, 'https://')
}

/** Returns a pattern as text, its placeholders as written. */
export function toRawText(pattern: Pattern): string {
  return rawText(partsOf(pattern))
}

/** Returns the text before the first reference or parameter. */
export function beginningOf(pattern: Pattern): string {
  const [first] = partsOf(pattern)
  return typeof first === 'string' ? first : ''
}

/** Returns the length in UTF-16 units; references and parameters count as a short name. */
export function lengthOf(pattern: Pattern): number {
  if (typeof pattern === 'string') return pattern.length
  return pattern.parts.reduce((sum, part) => sum + partLength(part), 0)
}

/** Returns a string that is equal for equal patterns only. */
export function toKey(pattern: Pattern | undefined): string {
  return typeof pattern === 'string' ? pattern : JSON.stringify(pattern?.parts ?? null)
}

/** Removes repeated patterns. */
export function uniquePatterns(patterns: readonly Pattern[]): readonly Pattern[] {
  return [...new Map(patterns.map((pattern) => [toKey(pattern), pattern])).values()]
}

/** Whether two patterns have the same parts. */
export function isSamePattern(a: Pattern | undefined, b: Pattern | undefined): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && toKey(a) === toKey(b))
}

function isReference(part: PatternPart | undefined): part is ReferencePart {
  return typeof part === 'object' && 'reference' in part
}

function isSlot(part: PatternPart | undefined): part is ParameterSlot {
  return typeof part === 'object' && !('reference' in part)
}

function partsOf(pattern: Pattern): readonly PatternPart[] {
  return typeof pattern === 'string' ? [pattern] : pattern.parts
}

function replaceParts(
  pattern: Pattern,
  replace: (part: PatternPart) => Pattern | undefined,
): Pattern {
  return assemble(
    partsOf(pattern).flatMap((part) => {
      const found = replace(part)
      return found === undefined ? [part] : partsOf(found)
    }),
  )
}

/** Merges adjacent texts and cuts off what exceeds the maximum length. */
function assemble(parts: readonly PatternPart[]): Pattern {
  const merged: PatternPart[] = []
  let length = 0
  for (const part of parts) {
    if (length >= MAX_LENGTH) break
    if (part === '') continue
    const cut = typeof part === 'string' ? part.slice(0, MAX_LENGTH - length) : part
    const last = merged.at(-1)
    if (typeof cut === 'string' && typeof last === 'string') merged[merged.length - 1] = last + cut
    else merged.push(cut)
    length += partLength(cut)
  }
  const [first = ''] = merged
  return merged.length < 2 && typeof first === 'string' ? first : { parts: merged }
}

function withoutEnd(pattern: Pattern): Pattern {
  if (typeof pattern === 'string') return pattern.replace(/\/+$/, '')
  const last = pattern.parts.at(-1)
  const text = isSlot(last) ? last.preset : last
  if (typeof text !== 'string') return pattern
  const preset = text.replace(/\/+$/, '')
  return assemble(pattern.parts.with(-1, isSlot(last) ? { ...last, preset } : preset))
}

function rawText(parts: readonly PatternPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : defaultOf(part))).join('')
}

/** Returns the default of a parameter; unknown for others. */
export function defaultOf(part: ReferencePart | ParameterSlot): string {
  return ('preset' in part ? part.preset : undefined) ?? UNKNOWN
}

function partLength(part: PatternPart): number {
  return typeof part === 'string' ? part.length : OPEN_LENGTH
}

const MAX_LENGTH = 2000
const OPEN_LENGTH = 4

/** `https://`, `{}://api.acme.com`, `http{}://api.acme.com`. */
const SCHEME = /^\s*(?:(?:https?|wss?):\/\/|(?:http)?\{\}:\/\/[^/])/i

/** `${x}`, `$X`, `#{x}`, `{{x}}`, `{x}`, `<x>`, `%s`, `%1$f`, `%(x)s`, `%{x}`. */
const PLACEHOLDER = new RegExp(
  [
    /[$#]?\{\{?\s?[^{}\s/]{0,80}\s?\}\}?/,
    /<[A-Za-z_][\w: -]{0,40}>/,
    /\$[A-Z][A-Z_\d]*\b/,
    /%(?:\([^()\s]{1,40}\)|\d+\$)?-?\d{0,2}[sdv](?![0-9A-Fa-f])/,
    /%(?:\d{1,2}\$)?(?:\.\d{1,2})?f(?![0-9A-Fa-f])/,
    /%\{[^{}]{1,40}\}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
