import { ServiceError } from '../errors.ts'
import type { JsonObject } from '../schemas/values.ts'
import { cleanValue } from './clean-value.ts'
import { decodeText } from './decode-text.ts'
import { type DescriptionKind, detectKind } from './detect-kind.ts'
import { createImportError, toSourceLocation } from './import-errors.ts'
import { DEFAULT_IMPORT_LIMITS, type ImportLimits } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { hasManyLines, parseYaml } from './parse-yaml.ts'
import type { ImportWarning } from './records.ts'

export type { ImportWarning } from './records.ts'

/** A parsed description with unresolved `$ref`s. */
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
 * Reads a description (Specification 4.6) as JSON, else as YAML; ignores any media type. Takes
 * linear time for JSON. Throws only `ServiceError`s: `too_large`, `invalid_body`,
 * `unsupported_media_type`, `invalid_description` and `too_expensive`, with `pointer` or `line` and
 * `column` if known.
 */
export function readDescription(
  bytes: Uint8Array,
  options: {
    readonly limits?: Partial<ImportLimits> | undefined
    /** Called after decoding, when the bytes are no longer needed. */
    readonly release?: (() => void) | undefined
  } = {},
): Description {
  const limits = { ...DEFAULT_IMPORT_LIMITS, ...options.limits }
  if (bytes.length > limits.maxBytes) {
    throw createImportError(
      'too_large',
      `Cannot import the file: ${bytes.length} bytes, at most ${limits.maxBytes} are allowed`,
    )
  }
  const text = decodeText(bytes)
  options.release?.()
  const parsed = parseJsonOrYaml(text, limits)
  const { document, kind, version } = detectKind(cleanValue(parsed.value, text))
  const { format, warnings } = parsed
  return { document, format, kind, version, size: text.length, warnings }
}

/** Reads any JSON or YAML value within the limits of descriptions; throws as `readDescription`. */
export function readValue(bytes: Uint8Array): unknown {
  const limits = DEFAULT_IMPORT_LIMITS
  if (bytes.length > limits.maxBytes) {
    throw createImportError(
      'too_large',
      `Cannot import the file: ${bytes.length} bytes, at most ${limits.maxBytes} are allowed`,
    )
  }
  const text = decodeText(bytes)
  return cleanValue(parseJsonOrYaml(text, limits).value, text)
}

function parseJsonOrYaml(text: string, limits: ImportLimits): ParsedText {
  if (!/^\s*[{[]/.test(text)) return { ...parseYaml(text, limits), format: 'yaml' }
  try {
    const { value, duplicates } = parseJson(text, limits)
    const warnings = duplicates.map((pointer) => ({
      pointer,
      message: 'Duplicate key; the last value is used',
    }))
    return { value, format: 'json', warnings }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_description') throw error
    return parseAsYaml(text, limits, error)
  }
}

/**
 * Parses text that is not valid JSON. JSON with comments, trailing commas or bare keys is valid
 * YAML. If the text is not valid YAML either, throws the JSON error if the text starts like JSON,
 * else the YAML error.
 */
function parseAsYaml(text: string, limits: ImportLimits, error: ServiceError): ParsedText {
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

/** True if an error is located after the first token within the outermost brackets. */
function startsAsJson(text: string, { extra }: ServiceError): boolean {
  const first = toSourceLocation(text, /^\s*[{[]\s*/.exec(text)?.[0].length ?? 0)
  return extra.line !== first.line || extra.column !== first.column
}

interface ParsedText {
  readonly value: unknown
  readonly format: 'json' | 'yaml'
  readonly warnings: readonly ImportWarning[]
}
