import type { BodyKind } from './body-kind.ts'
import { toBodyFamily } from './body-kind.ts'
import { encodeLiteral } from './encode.ts'
import { type Field, isInBody } from './fields.ts'
import { toFile } from './files.ts'
import { type FormPart, writeMultipart } from './multipart.ts'
import { createFormWriter, plainShape, type Writer } from './styles.ts'
import {
  FileValue,
  isJsonObject,
  isUpload,
  toItemTexts,
  toJsonText,
  toPlainText,
} from './values.ts'

/** A value whose name is not a declared field of the body. */
export type ExtraValue = readonly [name: string, value: unknown]

/** A serialised body. */
export interface SerializedBody {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * Serialises the body of an endpoint. Returns undefined if it has no values and is not required.
 */
export type BodyWriter = (
  values: readonly unknown[],
  extras: readonly ExtraValue[],
) => SerializedBody | undefined

/** Compiles the body writer of an endpoint. */
export function createBodyWriter(kind: BodyKind, list: readonly Field[]): BodyWriter {
  const fields = list.filter(isInBody)
  if (!kind.isFlattened) {
    const index = fields[0]?.index ?? -1
    return (values) => {
      const value = values[index]
      return value === undefined ? undefined : writeWholeBody(kind, value)
    }
  }
  if (kind.family === 'json') return createJsonWriter(kind, fields)
  return kind.family === 'multipart'
    ? createMultipartWriter(kind, fields)
    : createUrlencodedWriter(kind, fields)
}

/**
 * Returns the caller's media type for a serialised body; undefined if it does not match the body's
 * format.
 */
export function adoptContentType(mediaType: string, body: SerializedBody): string | undefined {
  if (toBodyFamily(mediaType) !== toBodyFamily(body.contentType)) return undefined
  // The boundary must be that of the writer.
  return toBodyFamily(mediaType) === 'multipart' ? body.contentType : mediaType
}

const encoder = new TextEncoder()

function createJsonWriter({ mediaType, isRequired }: BodyKind, list: readonly Field[]): BodyWriter {
  const fields = list.map(({ index, name }) => ({ index, prefix: `${JSON.stringify(name)}:` }))
  return (values, extras) => {
    let text = ''
    for (const { index, prefix } of fields) {
      const value = values[index]
      if (value !== undefined) text += `${text === '' ? '' : ','}${prefix}${toJsonText(value)}`
    }
    for (const [name, value] of extras) {
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${toJsonText(value)}`
    }
    if (text === '' && !isRequired) return undefined
    return { contentType: mediaType, bytes: encoder.encode(`{${text}}`) }
  }
}

function createUrlencodedWriter(
  { mediaType, isRequired }: BodyKind,
  list: readonly Field[],
): BodyWriter {
  const fields = list.map(({ index, name, parameter }) => ({
    index,
    write: createFormWriter(parameter ?? plainShape(name)),
  }))
  return (values, extras) => {
    const pairs: string[] = []
    for (const { index, write } of fields) pushPair(pairs, write, values[index])
    for (const [name, value] of extras) {
      pushPair(pairs, createFormWriter(plainShape(name)), value)
    }
    if (pairs.length === 0 && !isRequired) return undefined
    return { contentType: mediaType, bytes: encoder.encode(pairs.join('&')) }
  }
}

function pushPair(pairs: string[], write: Writer, value: unknown): void {
  const text = value === undefined ? '' : write(value)
  if (text !== '') pairs.push(text)
}

function createMultipartWriter({ isRequired }: BodyKind, list: readonly Field[]): BodyWriter {
  return (values, extras) => {
    const parts: FormPart[] = []
    for (const { index, name, parameter } of list) {
      const value = values[index]
      if (value === undefined) continue
      const separator = SEPARATORS.get(parameter?.collectionFormat ?? '')
      const isJoined = separator !== undefined && Array.isArray(value)
      const joined = isJoined ? toItemTexts(value).join(separator) : value
      const hasFiles = isJoined && value.some((item) => item instanceof FileValue)
      const mediaType = parameter?.contentType?.split(',', 1)[0]?.trim()
      parts.push({ name, value: hasFiles ? value : joined, mediaType: mediaType || undefined })
    }
    for (const [name, value] of extras) parts.push({ name, value, mediaType: undefined })
    if (parts.length === 0 && !isRequired) return undefined
    return toMultipartBody(parts)
  }
}

/** Separators of Swagger's `collectionFormat`, which joins a list to a single string. */
const SEPARATORS = new Map([
  ['csv', ','],
  ['ssv', ' '],
  ['tsv', '\t'],
  ['pipes', '|'],
])

function toMultipartBody(parts: readonly FormPart[]): SerializedBody {
  const { bytes, boundary } = writeMultipart(parts)
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes }
}

function writeWholeBody({ family, mediaType }: BodyKind, value: unknown): SerializedBody {
  if (family === 'json') {
    return { contentType: mediaType, bytes: encoder.encode(toJsonText(value)) }
  }
  if (family === 'multipart') {
    const members = isJsonObject(value) ? Object.entries(value) : []
    const given = members.filter(([, member]) => member !== null && member !== undefined)
    return toMultipartBody(
      given.map(([name, member]) => ({
        name,
        value: isUpload(member) ? toFile(member) : member,
        mediaType: undefined,
      })),
    )
  }
  if (family === 'urlencoded') {
    const pairs: string[] = []
    if (!isJsonObject(value)) pairs.push(encodeLiteral(toPlainText(value)))
    else
      for (const [name, member] of Object.entries(value)) {
        pushPair(pairs, createFormWriter(plainShape(name)), member ?? undefined)
      }
    return { contentType: mediaType, bytes: encoder.encode(pairs.join('&')) }
  }
  return writeContent(mediaType, value)
}

function writeContent(mediaType: string, value: unknown): SerializedBody {
  const file = value instanceof FileValue ? value : undefined
  const content = file?.content ?? toPlainText(value)
  const usual = typeof content === 'string' ? 'text/plain' : 'application/octet-stream'
  const known = file?.mediaType.replace(/[^\x20-\x7e]/g, '') || usual
  return {
    contentType: mediaType.includes('*') ? known : mediaType,
    bytes: typeof content === 'string' ? encoder.encode(content) : content,
  }
}
