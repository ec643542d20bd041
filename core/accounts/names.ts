import { ServiceError } from '../http/problems.ts'
import { maskKeys } from './keys.ts'

const MAX_LENGTH = 100
const ACCOUNT_IDS = { pattern: /^(acc|key)_/i, rule: 'acc_ and key_ begin ids, not names' }
const USER_IDS = { pattern: /^usr_/i, rule: 'usr_ begins ids, not names' }
/** Control characters, lone surrogates, line breaks and what turns the direction of text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * The name of an account, key or user as it is stored: composed (NFC), trimmed, 1 to 100 characters.
 * Throws `invalid_input` for one that is empty, too long, has control characters, begins like an id
 * or contains a key.
 */
export function parseName(kind: 'account' | 'key' | 'user', text: string): string {
  const name = text.normalize('NFC').trim()
  if (name === '' || name.length > MAX_LENGTH || FORBIDDEN.test(name)) {
    throw refuse(kind, name, `a name has 1 to ${MAX_LENGTH} characters and no control characters`)
  }
  // Otherwise a name could stand where an id is meant.
  const { pattern, rule } = kind === 'user' ? USER_IDS : ACCOUNT_IDS
  if (pattern.test(name)) throw refuse(kind, name, rule)
  if (maskKeys(name) !== name) throw refuse(kind, name, 'a key is no name')
  return name
}

/** A text of the user's for a message: quoted, cut at 100 characters, without keys. */
export function quote(text: string): string {
  return JSON.stringify(maskKeys(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text))
}

function refuse(kind: string, name: string, rule: string): ServiceError {
  return new ServiceError('invalid_input', `Cannot name the ${kind} ${quote(name)}: ${rule}`)
}
