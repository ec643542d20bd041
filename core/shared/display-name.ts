/**
 * Prepares an external name for messages: its first hundred characters, with invisible characters
 * and direction marks escaped.
 */
export function toDisplayName(name: string): string {
  const isLong = name.length > MAX_LENGTH
  const cut = isLong ? `${name.slice(0, MAX_LENGTH - 1)}…` : name
  return INVISIBLE.test(cut) ? cut.replace(ALL_INVISIBLE, toEscape) : cut
}

const MAX_LENGTH = 100
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu')

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
