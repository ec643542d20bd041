import { ServiceError } from '../errors.ts'
import { concatBytes } from '../shared/bytes.ts'
import type { HttpRequest } from './message.ts'

/** Size limits of request bodies. */
export interface BodyLimits {
  /**
   * Bytes of JSON bodies, including a file in them, and of form bodies. For forms with files: bytes
   * of the other fields.
   */
  readonly maxBodyBytes: number
  /** Bytes of uploaded files, and of whole forms with files unless they are JSON. */
  readonly maxFileBytes: number
  /** Bytes of a whole newline-delimited body, and of one of its lines. */
  readonly maxStreamBytes: number
  readonly maxLineBytes: number
}

/** Default limits. */
export const BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 1024 * 1024,
  maxFileBytes: 32 * 1024 * 1024,
  maxStreamBytes: 1024 * 1024 * 1024,
  maxLineBytes: 1024 * 1024,
}

/** Reads a whole body of at most `maxBytes`; empty if there is none. Throws `too_large`. */
export async function readBytes(body: HttpRequest['body'], maxBytes: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array(0)
  if (body.readWhole) {
    const bytes = await body.readWhole(maxBytes)
    if (bytes) return bytes
    throw createBodyTooLargeError(maxBytes)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) throw createBodyTooLargeError(maxBytes)
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}

function createBodyTooLargeError(maxBytes: number): ServiceError {
  const detail = `Cannot read the body: at most ${maxBytes} bytes are accepted`
  return new ServiceError('too_large', detail)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 strictly and drops a byte order mark. Throws `invalid_body`. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid_body', 'Cannot read the body: it is not valid UTF-8', { cause })
  }
}

const MAX_DEPTH = 100

/** Throws if the text is not valid JSON. */
type JsonParser = (text: string) => unknown

/** Parses JSON of at most 100 levels with `parse`. Throws `invalid_body` with the reason. */
export function parseJson(text: string, parse: JsonParser = JSON.parse): unknown {
  if (isTooDeep(text)) {
    throw new ServiceError(
      'invalid_body',
      `Cannot read the JSON body: it is nested more than ${MAX_DEPTH} levels deep`,
    )
  }
  try {
    return parse(text)
  } catch (cause) {
    throw new ServiceError('invalid_body', 'Cannot read the JSON body: it is not valid JSON', {
      cause,
    })
  }
}

/** Parses a JSON object like `parseJson`. Throws `invalid_body` for any other value. */
export function parseJsonObject(
  text: string,
  parse?: JsonParser,
): Readonly<Record<string, unknown>> {
  const value = parseJson(text, parse)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw new ServiceError('invalid_body', 'Cannot read the JSON body: it must be an object')
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}
