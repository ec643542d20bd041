import { basename, extname } from 'node:path'
import type { UploadedFile } from '../../core/contract.ts'
import { parseExactJson } from '../../core/gateway/index.ts'
import { UsageError } from './errors.ts'
import { readFileBytes } from './files.ts'
import type { Io } from './io.ts'

/** Media types by file extension; other files are sent as `application/octet-stream`. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
}

/**
 * Reads the values of a call: `name=text`, `name:=json`, `name=@file`, or `name=@-` for standard
 * input. Preserves the digits of JSON numbers. A repeated name becomes a list. Throws a
 * `UsageError` for invalid values, and a `CommandError` for unreadable files.
 */
export async function readCallValues(
  words: readonly string[],
  io: Pick<Io, 'readInput'>,
): Promise<Readonly<Record<string, unknown>>> {
  const values = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const word of words) {
    const { name, isJson, text } = splitCallValue(word)
    const value = isJson ? parseJsonValue(name, text) : await readTextOrFile(text, io)
    if (!values.has(name)) {
      values.set(name, value)
      continue
    }
    const before = values.get(name)
    values.set(name, repeated.has(name) ? [...(before as unknown[]), value] : [before, value])
    repeated.add(name)
  }
  // `fromEntries` makes a name such as `__proto__` an own property.
  return Object.fromEntries(values)
}

function splitCallValue(word: string) {
  const equals = word.indexOf('=')
  const isJson = word[equals - 1] === ':'
  const name = word.slice(0, isJson ? equals - 1 : Math.max(equals, 0))
  if (name !== '') return { name, isJson, text: word.slice(equals + 1) }
  throw new UsageError(`Invalid value "${word}": it must be name=text, name:=json or name=@file`)
}

async function readTextOrFile(
  text: string,
  io: Pick<Io, 'readInput'>,
): Promise<string | UploadedFile> {
  if (!text.startsWith('@')) return text
  const path = text.slice(1)
  if (path === '-') {
    return { bytes: await io.readInput(), filename: 'input', mediaType: 'application/octet-stream' }
  }
  const mediaType = MEDIA_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  return { bytes: await readFileBytes(path), filename: basename(path), mediaType }
}

function parseJsonValue(name: string, text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    throw new UsageError(`Invalid value of "${name}": the text after ":=" must be JSON`)
  }
}
