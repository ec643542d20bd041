import { parseName, quote } from '../accounts/names.ts'
import { ServiceError } from '../http/problems.ts'
import { foldName, MAX_NAME } from '../shared/text.ts'

/** A user's name as it is stored. Throws `invalid_input` for one that cannot be told from others. */
export function parseUserName(text: string): string {
  const name = parseName('user', text)
  const folded = foldName(name)
  if (folded !== '' && folded.length <= MAX_NAME) return name
  throw new ServiceError(
    'invalid_input',
    `Cannot name the user ${quote(name)}: a name has letters, digits or signs of its own`,
  )
}

/** A name as it is typed at the log-in, as it is stored; undefined for one that nobody can have. */
export function readUserName(text: string): string | undefined {
  if (text.length > 1000) return undefined
  try {
    return parseUserName(text)
  } catch {
    return undefined
  }
}
