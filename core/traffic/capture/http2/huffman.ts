/** RFC 7541, appendix B: symbols by code length in bits. Longer codes are unprintable symbols. */
const SYMBOLS: readonly (readonly [bits: number, symbols: string])[] = [
  [5, '012aceiost'],
  [6, ' %-./3456789=A_bdfghlmnpru'],
  [7, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, '&*,;XZ'],
  [10, '!"()?'],
  [11, "'+|"],
  [12, '#>'],
  [13, '\0$@[]~'],
  [14, '^}'],
  [15, '<`{'],
]
const LONGEST = 15
const CODES = buildCodes()

/**
 * Decodes a Huffman-coded string. `?` replaces the first symbol that is not printable ASCII, and
 * all that follow.
 */
export function decodeHuffman(bytes: Uint8Array): string {
  let decoded = ''
  let code = 0
  let length = 0
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = (code << 1) | ((byte >> bit) & 1)
      length += 1
      const symbol = CODES.get((length << LONGEST) | code)
      if (symbol !== undefined) {
        decoded += symbol
        code = 0
        length = 0
      } else if (length >= LONGEST) {
        return `${decoded}?`
      }
    }
  }
  return decoded
}

/** Builds canonical codes: consecutive within a length, and continuing at the next length. */
function buildCodes(): ReadonlyMap<number, string> {
  const codes = new Map<number, string>()
  let code = 0
  let before = 0
  for (const [bits, symbols] of SYMBOLS) {
    code <<= bits - before
    before = bits
    for (const symbol of symbols) {
      codes.set((bits << LONGEST) | code, symbol)
      code += 1
    }
  }
  return codes
}
