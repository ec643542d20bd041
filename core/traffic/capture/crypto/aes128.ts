/** AES-128 with one key (FIPS-197). */
export interface Aes128 {
  /** Encrypts one block of 16 bytes of `input` at `start`, to `output` at 0. */
  encryptBlock(input: Uint8Array, { start, output }: BlockPosition): void
}

interface BlockPosition {
  readonly start: number
  readonly output: Uint8Array
}

const ROUNDS = 10
const SBOX = makeSbox()

/**
 * Creates AES-128 encryption for a key of 16 bytes. Not constant-time: use it only for public keys,
 * such as those of QUIC Initial packets.
 */
export function createAes128(key: Uint8Array): Aes128 {
  const roundKeys = expandKey(key)
  const state = new Uint8Array(16)
  const shifted = new Uint8Array(16)
  return {
    encryptBlock(input, { start, output }) {
      for (let at = 0; at < 16; at += 1) {
        state[at] = (input[start + at] ?? 0) ^ (roundKeys[at] ?? 0)
      }
      for (let round = 1; round <= ROUNDS; round += 1) {
        for (let at = 0; at < 16; at += 1) {
          shifted[at] = SBOX[state[(at * 5) & 15] ?? 0] ?? 0
        }
        if (round < ROUNDS) mixColumns(shifted)
        for (let at = 0; at < 16; at += 1) {
          state[at] = (shifted[at] ?? 0) ^ (roundKeys[round * 16 + at] ?? 0)
        }
      }
      output.set(state)
    },
  }
}

function expandKey(key: Uint8Array): Uint8Array {
  const keys = new Uint8Array(16 * (ROUNDS + 1))
  keys.set(key.subarray(0, 16))
  let constant = 1
  for (let at = 16; at < keys.length; at += 4) {
    const isFirst = at % 16 === 0
    for (let byte = 0; byte < 4; byte += 1) {
      const before = keys[at - 4 + (isFirst ? (byte + 1) % 4 : byte)] ?? 0
      const word = isFirst ? (SBOX[before] ?? 0) ^ (byte === 0 ? constant : 0) : before
      keys[at + byte] = (keys[at - 16 + byte] ?? 0) ^ word
    }
    if (isFirst) constant = doubleInField(constant)
  }
  return keys
}

function mixColumns(state: Uint8Array): void {
  for (let at = 0; at < 16; at += 4) {
    const a = state[at] ?? 0
    const b = state[at + 1] ?? 0
    const c = state[at + 2] ?? 0
    const d = state[at + 3] ?? 0
    const all = a ^ b ^ c ^ d
    state[at] = a ^ all ^ doubleInField(a ^ b)
    state[at + 1] = b ^ all ^ doubleInField(b ^ c)
    state[at + 2] = c ^ all ^ doubleInField(c ^ d)
    state[at + 3] = d ^ all ^ doubleInField(d ^ a)
  }
}

/** Doubles a value in the AES field. */
function doubleInField(value: number): number {
  return ((value << 1) ^ ((value & 0x80) === 0 ? 0 : 0x1b)) & 0xff
}

/** Computes the S-box (FIPS-197 5.1.1): the inverse in the field, then an affine map. */
function makeSbox(): Uint8Array {
  const sbox = new Uint8Array(256)
  let power = 1
  let inverse = 1
  do {
    power ^= doubleInField(power)
    inverse ^= inverse << 1
    inverse ^= inverse << 2
    inverse ^= inverse << 4
    inverse &= 0xff
    if ((inverse & 0x80) !== 0) inverse ^= 0x09
    const turned = (inverse << 8) | inverse
    sbox[power] =
      (inverse ^ (turned >> 7) ^ (turned >> 6) ^ (turned >> 5) ^ (turned >> 4) ^ 0x63) & 0xff
  } while (power !== 1)
  sbox[0] = 0x63
  return sbox
}
