import type { Pattern } from './file-scan.ts'

/** What stands for an unknown part. */
export const UNKNOWN = '{}'

/** Language of files that give values to the environment, and the module of its names. */
export const ENVIRONMENT_LANGUAGE = 'environment'

/** Longest pattern that is kept. */
const MAX_LENGTH = 2000

/** A parameter of a function whose callers say its value. */
export interface Slot {
  /** Scope of the function. */
  readonly scope: number
  readonly at: number
  readonly name: string
  /** Member of the parameter's value, or empty. */
  readonly key: string
}

/** The pattern of a text of a source file. */
export function fromText(text: string): Pattern {
  const cut = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: patterns use them as marks
  return /[\0-\x08]/.test(cut) ? cut.replaceAll(/[\0-\x08]/g, '') : cut
}

/** A pattern that stands for a reference, by its number. */
export function fromReference(index: number): Pattern {
  return `\u0001${index}\u0002`
}

/** A pattern that stands for a parameter. */
export function fromSlot(slot: Slot): Pattern {
  return `\u0003${slot.scope}|${slot.at}|${slot.name}|${slot.key}\u0004`
}

/** Patterns one after the other. */
export function concat(parts: readonly Pattern[]): Pattern {
  const joined = parts.join('')
  return joined.length > MAX_LENGTH ? joined.slice(0, MAX_LENGTH).replace(OPEN_MARK, '') : joined
}

/** Patterns as URL segments: one slash between each two; empty ones are left out. */
export function joinSegments(parts: readonly Pattern[]): Pattern {
  let joined = ''
  for (const part of parts) {
    if (part === '') continue
    if (hasScheme(part)) joined = part
    else if (joined === '') joined = part
    else if (/^[?#]/.test(part)) joined += part
    else joined = `${joined.replace(/\/+$/, '')}/${part.replace(/^\/+/, '')}`
  }
  return concat([joined])
}

/** Replaces slots by what `fill` gives, and leaves those for which it gives nothing. */
export function fillSlots(pattern: Pattern, fill: (slot: Slot) => Pattern | undefined): Pattern {
  if (!pattern.includes('\u0003')) return pattern
  return concat([
    pattern.replaceAll(SLOT, (whole, scope: string, at: string, name: string, key: string) => {
      return fill({ scope: Number(scope), at: Number(at), name, key }) ?? whole
    }),
  ])
}

/** Replaces references by what `fill` gives; unknown where it gives nothing. */
export function fillReferences(
  pattern: Pattern,
  fill: (index: number) => Pattern | undefined,
): Pattern {
  if (!pattern.includes('\u0001')) return pattern
  return concat([
    pattern.replaceAll(REFERENCE, (_, index: string) => fill(Number(index)) ?? UNKNOWN),
  ])
}

/** Whether some part is a parameter. */
export function hasSlots(pattern: Pattern): boolean {
  return pattern.includes('\u0003')
}

/** Whether some part is a name of another file. */
export function hasReferences(pattern: Pattern): boolean {
  return pattern.includes('\u0001')
}

/** The numbers of the references of a pattern. */
export function referencesIn(pattern: Pattern): readonly number[] {
  if (!hasReferences(pattern)) return []
  return [...pattern.matchAll(REFERENCE)].map(([, index]) => Number(index))
}

/** Whether a pattern begins as a URL with a scheme of the web does, or with one that is not known. */
export function hasScheme(pattern: Pattern): boolean {
  return /^\s*(?:https?|wss?):\/\//i.test(pattern) || OPEN_SCHEME.test(pattern)
}

/** Whether a pattern may be a URL once its references are known. */
export function startsOpen(pattern: Pattern): boolean {
  return pattern.startsWith('\u0001') || pattern.startsWith('\u0003')
}

/** A pattern as text: all that is not known, placeholders included, is `{}`. */
export function toText(pattern: Pattern): string {
  return pattern
    .replaceAll(SLOT, UNKNOWN)
    .replaceAll(REFERENCE, UNKNOWN)
    .replaceAll(PLACEHOLDER, UNKNOWN)
    .replaceAll(/(?<=\/):[A-Za-z_]\w*/g, UNKNOWN)
    .replaceAll(/(?:\{\}){2,}/g, UNKNOWN)
    .replace(/^\s*(?:http)?\{\}:\/\/(?=[^/])/, 'https://')
}

/** A scheme that a name says: `"#{protocol}://api.acme.com"`, `"http#{s}://api.acme.com"`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: marks of patterns
const OPEN_SCHEME = /^\s*(?:http)?(?:\{\}|\x01\d+\x02|\x03[^\x04]*\x04):\/\/[^/]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: marks of patterns
const SLOT = /\x03(\d+)\|(-?\d+)\|([^|\x04]*)\|([^\x04]*)\x04/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: marks of patterns
const REFERENCE = /\x01(\d+)\x02/g
/** A mark that was cut. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: marks of patterns
const OPEN_MARK = /[\x01\x03][^\x02\x04]*$/
/** `${x}`, `$X`, `#{x}`, `{{x}}`, `{x}`, `<x>`, `%s`, `%(x)s`, `%{x}`. */
const PLACEHOLDER =
  /[$#]?\{\{?\s?[^{}\s/]{0,80}\s?\}\}?|<[A-Za-z_][\w: -]{0,40}>|\$[A-Z][A-Z_\d]*\b|%(?:\([^()\s]{1,40}\)|\d+\$)?-?\d{0,2}[sdv](?![0-9A-Fa-f])|%\{[^{}]{1,40}\}/g
