import type { Random } from '../ports/random.ts'
import { toBase64Url } from '../shared/base64url.ts'
import { toSha256Hex } from '../shared/digests.ts'

/** A secret token with its stored hash. */
export interface NewToken {
  /** 43 characters of base64url. */
  readonly token: string
  /** Lower-case hex SHA-256. */
  readonly hash: string
}

/** Creates a token of 256 random bits. */
export async function createToken(random: Random): Promise<NewToken> {
  const token = toBase64Url(random(32))
  return { token, hash: await toSha256Hex(token) }
}

/**
 * Hashes a token for storage; undefined if it is malformed. A fast hash is sufficient, as a token
 * has 256 random bits.
 */
export async function hashToken(token: string): Promise<string | undefined> {
  return /^[\w-]{43}$/.test(token) ? toSha256Hex(token) : undefined
}
