import { concatBytes } from '../../../shared/bytes.ts'

const BLOCK = 64
const PRIMES = firstPrimes(64)
/** FIPS 180-4 4.2.2 and 5.3.3: fractional parts of the cube and square roots of primes. */
const CONSTANTS = Uint32Array.from(PRIMES, (prime) => toFractionBits(Math.cbrt(prime)))
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => toFractionBits(Math.sqrt(prime)))

/** Computes SHA-256 synchronously: awaiting `crypto.subtle` for each packet would be too slow. */
export function sha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((data.length + 9) / BLOCK) * BLOCK)
  padded.set(data)
  padded[data.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, data.length * 8)
  const state = START.slice()
  const words = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += BLOCK) mixBlock(state, { view, at, words })
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

/** Computes HMAC-SHA-256 (RFC 2104). */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? sha256(key) : key
  const inner = new Uint8Array(BLOCK).fill(0x36)
  const outer = new Uint8Array(BLOCK).fill(0x5c)
  for (const [at, byte] of short.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return sha256(concatBytes([outer, sha256(concatBytes([inner, data]))]))
}

/** Computes HKDF-Expand-Label of TLS 1.3 without context, of at most 32 bytes (RFC 8446 7.1). */
export function expandLabel(
  secret: Uint8Array,
  { label, length }: { readonly label: string; readonly length: number },
): Uint8Array {
  const name = new TextEncoder().encode(`tls13 ${label}`)
  const info = concatBytes([Uint8Array.of(0, length, name.length), name, Uint8Array.of(0, 1)])
  return hmacSha256(secret, info).subarray(0, length)
}

function mixBlock(
  state: Uint32Array,
  {
    view,
    at,
    words,
  }: { readonly view: DataView; readonly at: number; readonly words: Uint32Array },
): void {
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4)
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] ?? 0
    const late = words[index - 2] ?? 0
    const s0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3)
    const s1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10)
    words[index] = (words[index - 16] ?? 0) + s0 + (words[index - 7] ?? 0) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index += 1) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const choice = (e & f) ^ (~e & g)
    const one = (h + s1 + choice + (CONSTANTS[index] ?? 0) + (words[index] ?? 0)) | 0
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + word
  }
}

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  }
  return primes
}

/** Returns the first 32 bits of the fractional part. */
function toFractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32)
}
