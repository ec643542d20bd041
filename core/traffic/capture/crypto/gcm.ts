import type { Aes128 } from './aes128.ts'

/** An encrypted message. */
export interface EncryptedMessage {
  /** 12 bytes. */
  readonly nonce: Uint8Array
  readonly associated: Uint8Array
  /** Ciphertext, followed by the tag of 16 bytes. */
  readonly ciphertext: Uint8Array
}

const BLOCK = 16

/** Decrypts an AES-GCM message; undefined if its tag is invalid (NIST SP 800-38D). */
export function decryptGcm(cipher: Aes128, { nonce, associated, ciphertext }: EncryptedMessage) {
  const length = ciphertext.length - BLOCK
  if (length < 0) return undefined
  const text = ciphertext.subarray(0, length)
  const counter = new Uint8Array(BLOCK)
  counter.set(nonce.subarray(0, 12))
  counter[15] = 1
  const mask = new Uint8Array(BLOCK)
  cipher.encryptBlock(counter, { start: 0, output: mask })
  const tag = computeGhash(cipher, { associated, text })
  for (let at = 0; at < BLOCK; at += 1) {
    if (((tag[at] ?? 0) ^ (mask[at] ?? 0)) !== ciphertext[length + at]) return undefined
  }
  const plain = new Uint8Array(length)
  const view = new DataView(counter.buffer)
  for (let at = 0; at < length; at += BLOCK) {
    view.setUint32(12, at / BLOCK + 2)
    cipher.encryptBlock(counter, { start: 0, output: mask })
    const end = Math.min(BLOCK, length - at)
    for (let byte = 0; byte < end; byte += 1) {
      plain[at + byte] = (text[at + byte] ?? 0) ^ (mask[byte] ?? 0)
    }
  }
  return plain
}

/** Computes GHASH over the associated data, the ciphertext, and their lengths. */
function computeGhash(
  cipher: Aes128,
  { associated, text }: { readonly associated: Uint8Array; readonly text: Uint8Array },
): Uint8Array {
  const key = new Uint8Array(BLOCK)
  cipher.encryptBlock(key, { start: 0, output: key })
  const multiply = createMultiply(key)
  const sum = new Uint8Array(BLOCK)
  for (const part of [associated, text]) {
    for (let at = 0; at < part.length; at += BLOCK) {
      const end = Math.min(BLOCK, part.length - at)
      for (let byte = 0; byte < end; byte += 1)
        sum[byte] = (sum[byte] ?? 0) ^ (part[at + byte] ?? 0)
      multiply(sum)
    }
  }
  const lengths = new DataView(new ArrayBuffer(BLOCK))
  lengths.setUint32(4, associated.length * 8)
  lengths.setUint32(12, text.length * 8)
  for (let byte = 0; byte < BLOCK; byte += 1) sum[byte] = (sum[byte] ?? 0) ^ lengths.getUint8(byte)
  multiply(sum)
  return sum
}

/** Creates a function that multiplies a block by the key in the GCM field, in place, bit by bit. */
function createMultiply(key: Uint8Array): (block: Uint8Array) => void {
  const words = new DataView(key.slice().buffer)
  const [k0, k1, k2, k3] = [0, 4, 8, 12].map((at) => words.getUint32(at)) as [
    number,
    number,
    number,
    number,
  ]
  return (block) => {
    const view = new DataView(block.buffer, block.byteOffset, BLOCK)
    let [v0, v1, v2, v3] = [k0, k1, k2, k3]
    let [z0, z1, z2, z3] = [0, 0, 0, 0]
    for (let at = 0; at < BLOCK; at += 1) {
      const byte = block[at] ?? 0
      for (let bit = 7; bit >= 0; bit -= 1) {
        const mask = -((byte >> bit) & 1)
        z0 ^= v0 & mask
        z1 ^= v1 & mask
        z2 ^= v2 & mask
        z3 ^= v3 & mask
        const carry = -(v3 & 1)
        v3 = (v3 >>> 1) | (v2 << 31)
        v2 = (v2 >>> 1) | (v1 << 31)
        v1 = (v1 >>> 1) | (v0 << 31)
        v0 = (v0 >>> 1) ^ (0xe1000000 & carry)
      }
    }
    view.setUint32(0, z0 >>> 0)
    view.setUint32(4, z1 >>> 0)
    view.setUint32(8, z2 >>> 0)
    view.setUint32(12, z3 >>> 0)
  }
}
