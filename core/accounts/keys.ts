import type { Random } from '../ports.ts'
import { toBase62, toBase62Word } from '../shared/base62.ts'
import { toSha256Hex } from '../shared/digests.ts'
import { crc32 } from './crc32.ts'

/** A key that was just made: the only moment at which it is known in plain. */
export interface NewKey {
  /** What the client sends: `adk_live_`, 43 digits of secret, 6 of checksum. */
  readonly key: string
  /** The record's id: `key_` and 22 digits, unrelated to the key itself. */
  readonly id: string
  /** What may be shown: prefix and last four characters. */
  readonly hint: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
}

const PREFIX = 'adk_live_'
const SECRET_BYTES = 32
const SECRET_DIGITS = 43
const CHECKED_LENGTH = PREFIX.length + SECRET_DIGITS
const KEY = /^adk_live_[0-9A-Za-z]{49}$/

/** Makes a key of 256 random bits. */
export async function createKey(random: Random): Promise<NewKey> {
  const checked = PREFIX + toBase62(random(SECRET_BYTES), SECRET_DIGITS)
  const key = checked + toBase62Word(crc32(checked))
  return {
    key,
    id: createId('key', random),
    hint: `${PREFIX}…${key.slice(-4)}`,
    hash: await hashKey(key),
  }
}

/** Makes an opaque id of 128 random bits: the kind, an underscore and 22 base-62 digits. */
export function createId(kind: 'acc' | 'key' | 'usr' | 'inv', random: Random): string {
  return `${kind}_${toBase62(random(16), 22)}`
}

/** True for a text of a key's shape whose checksum is right. Costs under a microsecond. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== CHECKED_LENGTH + 6 || !KEY.test(text)) return false
  return toBase62Word(crc32(text.slice(0, CHECKED_LENGTH))) === text.slice(CHECKED_LENGTH)
}

/** The text with everything that looks like a key, or part of one, cut down to its prefix. */
export function maskKeys(text: string): string {
  return text.replace(/adk_live_[0-9A-Za-z]+/gi, `${PREFIX}…`)
}

/** Lower-case hex SHA-256 of a key. A fast hash is enough, since a key holds 256 random bits. */
export function hashKey(key: string): Promise<string> {
  return toSha256Hex(key)
}

/** Compares two digests in a time that depends on their lengths alone. */
export function isSameDigest(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  }
  return difference === 0
}
