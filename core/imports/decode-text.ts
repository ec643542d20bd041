import { createImportError, toSourceLocation } from './import-errors.ts'

/** Signatures of files that users upload by mistake. */
const FILE_SIGNATURES: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['an empty zip archive', [0x50, 0x4b, 0x05, 0x06]],
  ['a gzip file', [0x1f, 0x8b]],
  ['a bzip2 file', [0x42, 0x5a, 0x68]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a zstandard file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a program', [0x7f, 0x45, 0x4c, 0x46]],
]

/**
 * Decodes a description's bytes: UTF-8 with or without byte order mark, UTF-16 with one. Throws
 * `unsupported_media_type` for anything but plain text (archives, images, HTML, XML). Throws
 * `invalid_body`, with line and column, for text that is empty, malformed or contains NUL.
 */
export function decodeText(bytes: Uint8Array): string {
  const signature = FILE_SIGNATURES.find(([, start]) =>
    start.every((byte, at) => bytes[at] === byte),
  )
  if (signature) {
    throw createImportError(
      'unsupported_media_type',
      `Cannot import the file: it is ${signature[0]}. Import a JSON or YAML file instead`,
    )
  }
  const text = decodeUnicode(bytes)
  const nul = text.indexOf('\0')
  if (nul >= 0) throw createNulError(text, nul)
  const start = text.slice(0, 4096).trimStart()
  if (start === '' && text.trim() === '') {
    throw createImportError('invalid_body', 'Cannot import the file: it is empty')
  }
  if (start.startsWith('<')) throw createMarkupError(start)
  return text
}

function decodeUnicode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) {
    if (bytes[2] === 0 && bytes[3] === 0 && bytes.length >= 4) {
      throw createImportError(
        'invalid_body',
        'Cannot import the file: it is UTF-32; save it as UTF-8',
      )
    }
    return decodeStrictly(bytes, 'utf-16le')
  }
  if (first === 0xfe && second === 0xff) return decodeStrictly(bytes, 'utf-16be')
  return decodeStrictly(bytes, 'utf-8')
}

function decodeStrictly(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    if (encoding !== 'utf-8') {
      throw createImportError('invalid_body', 'Cannot import the file: it is not valid UTF-16')
    }
    const location = locateInvalidByte(bytes)
    throw createImportError(
      'invalid_body',
      `Cannot import the file: it is not UTF-8 text (line ${location.line}, column ${location.column})`,
      location,
    )
  }
}

function locateInvalidByte(bytes: Uint8Array) {
  const lossy = new TextDecoder('utf-8').decode(bytes)
  return toSourceLocation(lossy, Math.max(0, lossy.indexOf('\ufffd')))
}

function createNulError(text: string, offset: number) {
  const head = text.slice(0, 64)
  const nuls = head.split('\0').length - 1
  const location = toSourceLocation(text, offset)
  const reason =
    nuls > head.length / 4
      ? 'it looks like UTF-16 without byte order mark; save it as UTF-8'
      : `it contains a NUL character (line ${location.line}, column ${location.column})`
  return createImportError('invalid_body', `Cannot import the file: ${reason}`, location)
}

function createMarkupError(start: string) {
  const kind = /^<(!doctype\s+html|html|head|body)/i.test(start)
    ? 'an HTML page; import the description that the page links to'
    : /wsdl/i.test(start)
      ? 'a WSDL document, which is not supported'
      : /wadl/i.test(start)
        ? 'a WADL document, which is not supported'
        : /edmx/i.test(start)
          ? 'an OData metadata document, which is not supported'
          : 'an XML document; descriptions are JSON or YAML'
  return createImportError('unsupported_media_type', `Cannot import the file: it is ${kind}`)
}
