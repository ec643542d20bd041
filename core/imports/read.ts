import { ServiceError } from '../http/problems.ts'
import type { JsonObject } from '../schemas/values.ts'
import { cleanValue } from './clean.ts'
import { decodeText } from './decode.ts'
import { parseJson } from './json.ts'
import { type DescriptionKind, recogniseKind } from './kind.ts'
import { DEFAULT_IMPORT_LIMITS, type ImportLimits } from './limits.ts'
import type { ImportWarning } from './records.ts'
import { refusal, toPlace } from './refusals.ts'
import { hasManyLines, parseYaml } from './yaml.ts'

export type { ImportWarning } from './records.ts'

/** A description as it was written, its `$ref`s unresolved. */
export interface Description {
  readonly document: JsonObject
  readonly format: 'json' | 'yaml'
  readonly kind: DescriptionKind
  /** `openapi` or `swagger`, as written. */
  readonly version: string
  /** Characters of the source. */
  readonly size: number
  readonly warnings: readonly ImportWarning[]
}

/**
 * Reads a description (Specification 4.6): JSON first, then YAML, judged by its bytes and not by
 * any media type. Linear in its size for JSON. Throws only `ServiceError`s: `too_large`,
 * `invalid_body`, `unsupported_media_type`, `invalid_description` and `too_expensive`, with
 * `pointer` or `line` and `column` where they are known.
 */
export function readDescription(
  bytes: Uint8Array,
  options: {
    readonly limits?: Partial<ImportLimits> | undefined
    /** Called when the bytes were decoded and are not needed any more. */
    readonly release?: (() => void) | undefined
  } = {},
): Description {
  const limits = { ...DEFAULT_IMPORT_LIMITS, ...options.limits }
  if (bytes.length > limits.maxBytes) {
    throw refusal(
      'too_large',
      `Cannot import the file: ${bytes.length} bytes, at most ${limits.maxBytes} are allowed`,
    )
  }
  const text = decodeText(bytes)
  options.release?.()
  const parsed = parseText(text, limits)
  const { document, kind, version } = recogniseKind(cleanValue(parsed.value, text))
  const { format, warnings } = parsed
  return { document, format, kind, version, size: text.length, warnings }
}

/** Reads JSON or YAML of any content within the limits of descriptions; throws as `readDescription`. */
export function readValue(bytes: Uint8Array): unknown {
  const limits = DEFAULT_IMPORT_LIMITS
  if (bytes.length > limits.maxBytes) {
    throw refusal(
      'too_large',
      `Cannot import the file: ${bytes.length} bytes, at most ${limits.maxBytes} are allowed`,
    )
  }
  const text = decodeText(bytes)
  return cleanValue(parseText(text, limits).value, text)
}

function parseText(text: string, limits: ImportLimits): ParsedText {
  if (!/^\s*[{[]/.test(text)) return { ...parseYaml(text, limits), format: 'yaml' }
  try {
    const { value, duplicates } = parseJson(text, limits)
    const warnings = duplicates.map((pointer) => ({
      pointer,
      message: 'occurs more than once: the last one counts',
    }))
    return { value, format: 'json', warnings }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_description') throw error
    return readAsYaml(text, limits, error)
  }
}

/**
 * JSON with comments, trailing commas or bare keys is YAML. What is neither gets the JSON error,
 * unless nothing after the first bracket is JSON.
 */
function readAsYaml(text: string, limits: ImportLimits, error: ServiceError): ParsedText {
  try {
    const { value, warnings } = parseYaml(text, limits)
    const notJson = { pointer: '', message: error.message }
    return { value, format: 'yaml', warnings: [notJson, ...warnings] }
  } catch (yamlError) {
    const isRefused = yamlError instanceof ServiceError && yamlError.code === 'too_expensive'
    const isBomb = isRefused && !hasManyLines(text)
    throw isBomb || !startsAsJson(text, error) ? yamlError : error
  }
}

/** Whether an error is past the first token in the outermost brackets. */
function startsAsJson(text: string, { extra }: ServiceError): boolean {
  const first = toPlace(text, /^\s*[{[]\s*/.exec(text)?.[0].length ?? 0)
  return extra.line !== first.line || extra.column !== first.column
}

interface ParsedText {
  readonly value: unknown
  readonly format: 'json' | 'yaml'
  readonly warnings: readonly ImportWarning[]
}
