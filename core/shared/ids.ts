const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Computes a 53-bit hash of a text, identical on every runtime. Not cryptographic: for stable IDs
 * and change detection.
 */
export function hash53(text: string, seed = 0): number {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

/**
 * Derives a short ID of 7 characters of `[A-Za-z0-9]`, at least one of them a letter, from an
 * endpoint's identity. It survives re-import and a move to another database. `attempt` resolves
 * collisions.
 */
export function toShortId(identity: string, attempt = 0): string {
  for (let seed = attempt * 16; ; seed += 1) {
    const id = toBase62Digits(hash53(identity, seed), 7)
    if (/[A-Za-z]/.test(id)) return id
  }
}

/** Derives an opaque ID of 18 characters of `[A-Za-z0-9]` from kind and identity. */
export function toOpaqueId(kind: string, identity: string): string {
  const text = `${kind}\n${identity}`
  return toBase62Digits(hash53(text, 11), 9) + toBase62Digits(hash53(text, 23), 9)
}

function toBase62Digits(value: number, length: number): string {
  let rest = value
  let text = ''
  for (let index = 0; index < length; index += 1) {
    text += BASE62[rest % 62]
    rest = Math.floor(rest / 62)
  }
  return text
}
