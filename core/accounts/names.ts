import { ServiceError } from '../http/problems.ts'

const MAX_LENGTH = 100
/** Control characters, lone surrogates, line breaks and what turns the direction of text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * The name of an account or key as it is stored: composed (NFC), trimmed, 1 to 100 characters.
 * Throws `invalid_input` for one that is empty, too long, or has control characters.
 */
export function parseName(kind: 'account' | 'key', text: string): string {
  const name = text.normalize('NFC').trim()
  if (name === '' || name.length > MAX_LENGTH || FORBIDDEN.test(name)) {
    throw refuse(kind, name, `a name has 1 to ${MAX_LENGTH} characters and no control characters`)
  }
  // Otherwise a name could stand where an id is meant.
  if (/^(acc|key)_/i.test(name)) throw refuse(kind, name, 'acc_ and key_ begin ids, not names')
  return name
}

function refuse(kind: string, name: string, rule: string): ServiceError {
  const shown = JSON.stringify(name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name)
  return new ServiceError('invalid_input', `Cannot name the ${kind} ${shown}: ${rule}`)
}
