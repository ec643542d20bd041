/** A header field as sent. */
export interface HeaderField {
  readonly name: string
  readonly value: string
}

/** Reads the header blocks of one direction of a connection, in order. */
export interface HpackReader {
  /** Fields of a block; undefined if it is invalid, which also invalidates all later blocks. */
  read(block: Uint8Array): readonly HeaderField[] | undefined
}

interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

const MAX_TABLE_BYTES = 4096
const ENTRY_BYTES = 32
const MAX_FIELDS = 256
const MAX_NUMBER_BYTES = 4
/** RFC 7541, appendix A. */
const STATIC: readonly HeaderField[] = (
  ':authority :method=GET :method=POST :path=/ :path=/index.html :scheme=http :scheme=https ' +
  ':status=200 :status=204 :status=206 :status=304 :status=400 :status=404 :status=500 ' +
  'accept-charset accept-encoding=gzip,+deflate accept-language accept-ranges accept ' +
  'access-control-allow-origin age allow authorization cache-control content-disposition ' +
  'content-encoding content-language content-length content-location content-range content-type ' +
  'cookie date etag expect expires from host if-match if-modified-since if-none-match if-range ' +
  'if-unmodified-since last-modified link location max-forwards proxy-authenticate ' +
  'proxy-authorization range referer refresh retry-after server set-cookie ' +
  'strict-transport-security transfer-encoding user-agent vary via www-authenticate'
)
  .split(' ')
  .map((entry) => {
    const [name = '', value = ''] = entry.split('=')
    return { name, value: value.replace('+', ' ') }
  })

/**
 * Creates an HPACK reader with a table of at most 4,096 bytes, the initial size of a connection
 * (RFC 7541).
 */
export function createHpackReader(): HpackReader {
  const table: HeaderField[] = []
  let tableBytes = 0
  let maxBytes = MAX_TABLE_BYTES

  const evict = () => {
    while (tableBytes > maxBytes) {
      const oldest = table.pop()
      tableBytes -= oldest === undefined ? tableBytes : getFieldSize(oldest)
    }
  }
  const fieldAt = (index: number) => STATIC[index - 1] ?? table[index - 1 - STATIC.length]
  const readLiteral = (cursor: Cursor, bits: number): HeaderField | undefined => {
    const index = readHpackInteger(cursor, bits)
    const name = index === 0 ? readHpackString(cursor) : fieldAt(index ?? -1)?.name
    const value = readHpackString(cursor)
    return name === undefined || value === undefined ? undefined : { name, value }
  }
  const readField = (cursor: Cursor): HeaderField | 'none' | undefined => {
    const first = cursor.bytes[cursor.at] ?? 0
    if (first >= 0x80) return fieldAt(readHpackInteger(cursor, 7) ?? 0)
    if (first >= 0x40) {
      const field = readLiteral(cursor, 6)
      if (field === undefined) return undefined
      table.unshift(field)
      tableBytes += getFieldSize(field)
      evict()
      return field
    }
    if (first < 0x20) return readLiteral(cursor, 4)
    maxBytes = Math.min(readHpackInteger(cursor, 5) ?? 0, MAX_TABLE_BYTES)
    evict()
    return 'none'
  }

  return {
    read(block) {
      const cursor = { bytes: block, at: 0 }
      const fields: HeaderField[] = []
      while (cursor.at < block.length && fields.length < MAX_FIELDS) {
        const field = readField(cursor)
        if (field === undefined) return undefined
        if (field !== 'none') fields.push(field)
      }
      return fields
    },
  }
}

function getFieldSize({ name, value }: HeaderField): number {
  return name.length + value.length + ENTRY_BYTES
}

/** Reads a number after a prefix (RFC 7541 5.1). */
function readHpackInteger(cursor: Cursor, bits: number): number | undefined {
  const mask = (1 << bits) - 1
  let value = (cursor.bytes[cursor.at] ?? 0) & mask
  cursor.at += 1
  if (value < mask) return value
  for (let index = 0; index < MAX_NUMBER_BYTES; index += 1) {
    const byte = cursor.bytes[cursor.at]
    if (byte === undefined) return undefined
    cursor.at += 1
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return value
  }
  return undefined
}

/** Reads an ISO 8859-1 string, plain or Huffman-coded (RFC 7541 5.2). */
function readHpackString(cursor: Cursor): string | undefined {
  const isHuffman = (cursor.bytes[cursor.at] ?? 0) >= 0x80
  const length = readHpackInteger(cursor, 7)
  if (length === undefined || cursor.at + length > cursor.bytes.length) return undefined
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length)
  cursor.at += length
  return isHuffman
    ? decodeHuffman(bytes)
    : bytes.reduce((all, byte) => all + String.fromCharCode(byte), '')
}

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
