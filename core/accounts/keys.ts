import type { Logger, LogValue } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import { toBase62, toBase62Word } from '../shared/base62.ts'
import { toSha256Hex } from '../shared/digests.ts'

/** A new key: the only moment at which its plain text is available. */
export interface NewKey {
  /** The key for clients: `adk_live_`, 43 digits of secret, 6 of checksum. */
  readonly key: string
  /** ID of the record: `key_` and 22 digits, unrelated to the key itself. */
  readonly id: string
  /** A displayable form: prefix and last four characters. */
  readonly hint: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
}

const SILENT: Logger = { log() {} }

const PREFIX = 'adk_live_'
const SECRET_BYTES = 32
const SECRET_DIGITS = 43
const CHECKED_LENGTH = PREFIX.length + SECRET_DIGITS
const KEY = /^adk_live_[0-9A-Za-z]{49}$/

/** Creates a key with 256 random bits. */
export async function generateKey(random: Random): Promise<NewKey> {
  const checked = PREFIX + toBase62(random(SECRET_BYTES), SECRET_DIGITS)
  const key = checked + toBase62Word(crc32(checked))
  return {
    key,
    id: createId('key', random),
    hint: `${PREFIX}…${key.slice(-4)}`,
    hash: await hashKey(key),
  }
}

/** Creates an opaque ID of 128 random bits: the kind, an underscore and 22 base-62 digits. */
export function createId(kind: 'acc' | 'key' | 'usr' | 'inv', random: Random): string {
  return `${kind}_${toBase62(random(16), 22)}`
}

/** True for a key with the correct format and checksum. Takes less than a microsecond. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== CHECKED_LENGTH + 6 || !KEY.test(text)) return false
  return toBase62Word(crc32(text.slice(0, CHECKED_LENGTH))) === text.slice(CHECKED_LENGTH)
}

/** Replaces everything that resembles a key, or part of one, by its prefix. */
export function maskKeys(text: string): string {
  return text.replace(/adk_live_[0-9A-Za-z]+/gi, `${PREFIX}…`)
}

/**
 * Computes the SHA-256 of a key in lower-case hexadecimal. A fast hash is sufficient, because a key
 * has 256 random bits.
 */
export function hashKey(key: string): Promise<string> {
  return toSha256Hex(key)
}

/** Compares two digests in constant time for equal lengths. */
export function isSameDigest(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  }
  return difference === 0
}

const TABLE = /* @__PURE__ */ createTable()

/**
 * Computes the CRC-32 (ISO 3309, polynomial 0xEDB88320) of an ASCII text, as an unsigned number.
 */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1) {
    crc = (TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8)
  }
  return ~crc >>> 0
}

function createTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
    return crc
  })
}

/**
 * Creates a logger that masks API keys in all texts, for example in a mistyped path. Without a
 * logger, it is silent.
 */
export function createMaskingLogger(logger: Logger | undefined): Logger {
  if (!logger) return SILENT
  return {
    log(level, event, fields) {
      logger.log(level, event, fields && maskFields(fields))
    },
    isEnabled: (level) => logger.isEnabled?.(level) ?? true,
  }
}

function maskFields(fields: Readonly<Record<string, LogValue>>): Record<string, LogValue> {
  const masked: Record<string, LogValue> = {}
  for (const name in fields) {
    const value = fields[name]
    masked[name] = typeof value === 'string' ? maskKeys(value) : value
  }
  return masked
}
