const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Encodes bytes as one big-endian number in base 62, padded with zeros to `width`. The digits are
 * in code point order, so texts of one width sort like their bytes. Throws a `RangeError` if the
 * width is too small: 32 bytes need 43 digits, 16 need 22, 4 need 6.
 */
export function toBase62(bytes: Uint8Array, width: number): string {
  let rest = 0n
  for (const byte of bytes) rest = rest * 256n + BigInt(byte)
  let text = ''
  while (rest > 0n) {
    text = DIGITS.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  if (text.length > width) throw new RangeError(`Cannot encode in ${width} digits: too many bytes`)
  return text.padStart(width, '0')
}

/** Encodes a number below 2^32 in six base-62 digits, without a `bigint`. */
export function toBase62Word(word: number): string {
  let rest = word >>> 0
  let text = ''
  for (let place = 0; place < 6; place += 1) {
    text = DIGITS.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
