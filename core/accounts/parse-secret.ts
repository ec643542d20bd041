import { fromBase64Url } from '../shared/base64url.ts'

/** Minimum length of a service's secret in bytes. */
export const SECRET_BYTES = 32

/**
 * Parses a service's secret: at least 32 random bytes in hex (64 digits), base64 or base64url (43
 * characters). Returns undefined if it is too short, malformed, or clearly not random; explain that
 * with `SECRET_RULE`.
 */
export function parseSecret(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = /^[0-9a-f]+$/i.test(text) ? fromHex(text) : fromBase64(text)
  if (!bytes || bytes.length < SECRET_BYTES) return undefined
  return new Set(bytes).size < SECRET_BYTES / 2 ? undefined : bytes
}

/** Requirements of a secret, to complete an error message. */
export const SECRET_RULE =
  'it must be at least 32 random bytes in hex or base64, such as "openssl rand -base64 32" prints'

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 === 1) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return fromBase64Url(text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'))
}
