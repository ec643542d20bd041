/**
 * Prepares an external name for messages: its first hundred characters, with invisible characters
 * and direction marks escaped.
 */
export function toShownName(name: string): string {
  const isLong = name.length > MAX_LENGTH
  const cut = isLong ? `${name.slice(0, MAX_LENGTH - 1)}…` : name
  return UNSEEN.test(cut) ? cut.replace(ALL_UNSEEN, toEscape) : cut
}

const MAX_LENGTH = 100
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const ALL_UNSEEN = new RegExp(UNSEEN, 'gu')

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
