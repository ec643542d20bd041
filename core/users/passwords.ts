import { ServiceError } from '../errors.ts'
import { foldName } from '../shared/text.ts'

/** Password length in characters (NIST SP 800-63B: length, no composition rules). */
const PASSWORD_LENGTH = { least: 12, most: 256 } as const

/**
 * Normalizes a typed password to NFC, as it is hashed. Returns undefined for an impossible one: too
 * long, or with a lone surrogate.
 */
export function normalizePassword(typed: string): string | undefined {
  // Limits the cost of normalization: no character decomposes into more than four.
  if (typed.length > 8 * PASSWORD_LENGTH.most) return undefined
  const password = typed.normalize('NFC')
  return [...password].length > PASSWORD_LENGTH.most || /\p{Cs}/u.test(password)
    ? undefined
    : password
}

/**
 * Normalizes a new password. Throws `invalid_input` if it is too short, too long, too common, or
 * consists of one of the names (case-folded). The message never contains the password.
 */
export function validatePassword(typed: string, names: readonly string[]): string {
  const password = normalizePassword(typed)
  const { least, most } = PASSWORD_LENGTH
  if (password === undefined || [...password].length < least) {
    throw createPasswordError(`it must have ${least} to ${most} characters`)
  }
  if (isMonotonous(password)) throw createPasswordError('it must not be a sequence or a repetition')
  const stem = toStem(password)
  if (names.some((name) => isRepetitionOf(stem, toStem(name)))) {
    throw createPasswordError('it must not be the name of the user or the account')
  }
  if (COMMON_STEMS.some((common) => isRepetitionOf(stem, common))) {
    throw createPasswordError('it is too common')
  }
  return password
}

/** True for few distinct characters, a short repeated part, or a sequence of characters. */
function isMonotonous(password: string): boolean {
  const characters = [...foldName(password)]
  if (new Set(characters).size < 4) return true
  for (let length = 2; length <= 6; length += 1) {
    const part = characters.slice(0, length)
    if (characters.every((character, index) => character === part[index % length])) return true
  }
  return isSequence(characters, 1) || isSequence(characters, -1)
}

/** Allows up to two breaks: where digits restart, or letters end. */
function isSequence(characters: readonly string[], step: 1 | -1): boolean {
  let breaks = 0
  for (let index = 1; index < characters.length; index += 1) {
    const [former, next] = [characters[index - 1], characters[index]]
    if ((next?.codePointAt(0) ?? 0) - (former?.codePointAt(0) ?? 0) !== step) breaks += 1
  }
  return breaks <= 2
}

/** Folds a text, trims it to its letters, and replaces symbols and digits that resemble letters. */
function toStem(text: string): string {
  return foldName(text)
    .replace(/^\P{L}+|\P{L}+$/gu, '')
    .replace(/[@$0134578]/g, (sign) => LOOKALIKE_LETTERS[sign] ?? sign)
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** True if a text is one or more repetitions of a part. */
function isRepetitionOf(text: string, part: string): boolean {
  return part !== '' && text !== '' && text.split(part).every((rest) => rest === '')
}

const LOOKALIKE_LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  $: 's',
}

function createPasswordError(rule: string): ServiceError {
  return new ServiceError('invalid_input', `Cannot use the password: ${rule}`)
}

/**
 * Stems of the most common passwords with twelve or more characters, in the form of `passwords.ts`.
 * They match alone, repeated, or surrounded by digits and symbols.
 */
const COMMON_STEMS: readonly string[] = [
  'password',
  'passwort',
  'passw',
  'passphrase',
  'motdepasse',
  'contrasena',
  'salasana',
  'wachtwoord',
  'qwerty',
  'qwertyuiop',
  'qwertyuiopasdfghjkl',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedc',
  'qazwsxedcrfv',
  'qaz2wsxeedc',
  'abcdefgh',
  'abc',
  'letmein',
  'letmeinplease',
  'welcome',
  'welcomeback',
  'welcometoo',
  'iloveyou',
  'iloveyousomuch',
  'administrator',
  'admin',
  'adminadmin',
  'superuser',
  'root',
  'guest',
  'changeme',
  'changemenow',
  'changemeplease',
  'secret',
  'topsecret',
  'supersecret',
  'default',
  'trustno',
  'monkey',
  'dragon',
  'football',
  'baseball',
  'basketball',
  'superman',
  'batman',
  'starwars',
  'sunshine',
  'princess',
  'computer',
  'internet',
  'whatever',
  'michael',
  'jennifer',
  'liverpool',
  'manchesterunited',
  'masterpassword',
  'mypassword',
  'newpassword',
  'thisismypassword',
  'passwordpassword',
  'correcthorsebatterystaple',
  'summer',
  'winter',
  'spring',
  'autumn',
  'api',
  'apidiscovery',
  'apikey',
  'console',
]
