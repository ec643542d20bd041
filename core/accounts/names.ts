import { ServiceError } from '../errors.ts'
import { maskKeys } from './keys.ts'

const MAX_LENGTH = 100
const ACCOUNT_ID_PREFIXES = { pattern: /^(acc|key)_/i, rule: 'it must not start with acc_ or key_' }
const USER_ID_PREFIXES = { pattern: /^usr_/i, rule: 'it must not start with usr_' }
/** Control characters, lone surrogates, line breaks and bidirectional overrides. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * Normalizes the name of an account, key or user: NFC, trimmed, 1 to 100 characters. Throws
 * `invalid_input` for a name that is empty, too long, contains control characters or a key, or
 * starts like an ID.
 */
export function parseName(kind: 'account' | 'key' | 'user', text: string): string {
  const name = text.normalize('NFC').trim()
  if (name === '' || name.length > MAX_LENGTH || FORBIDDEN.test(name)) {
    throw createNameError(
      kind,
      name,
      `it must have 1 to ${MAX_LENGTH} characters and no control characters`,
    )
  }
  // Otherwise a name could be mistaken for an ID.
  const { pattern, rule } = kind === 'user' ? USER_ID_PREFIXES : ACCOUNT_ID_PREFIXES
  if (pattern.test(name)) throw createNameError(kind, name, rule)
  if (maskKeys(name) !== name) throw createNameError(kind, name, 'it must not contain an API key')
  return name
}

/** Quotes user input for a message: truncated to 100 characters, with keys masked. */
export function quoteInput(text: string): string {
  return JSON.stringify(maskKeys(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text))
}

function createNameError(kind: string, name: string, rule: string): ServiceError {
  return new ServiceError('invalid_input', `Invalid ${kind} name ${quoteInput(name)}: ${rule}`)
}
