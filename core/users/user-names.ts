import { parseName, quoteInput } from '../accounts/names.ts'
import { ServiceError } from '../errors.ts'
import { foldName, MAX_NAME_LENGTH } from '../shared/text.ts'

/**
 * Normalizes a user name. Throws `invalid_input` for a name that can't be distinguished from
 * others.
 */
export function parseUserName(text: string): string {
  const name = parseName('user', text)
  const folded = foldName(name)
  if (folded !== '' && folded.length <= MAX_NAME_LENGTH) return name
  throw new ServiceError(
    'invalid_input',
    `Invalid user name ${quoteInput(name)}: it must contain letters, digits or symbols`,
  )
}

/** Normalizes a name typed at log-in; undefined for an impossible one. */
export function tryParseUserName(text: string): string | undefined {
  if (text.length > 1000) return undefined
  try {
    return parseUserName(text)
  } catch {
    return undefined
  }
}
