import { ServiceError } from '../http/problems.ts'
import type { Isolate } from '../ports.ts'
import { runInSlices } from '../shared/slices.ts'
import {
  type ExtractedDescription,
  type ExtractOptions,
  extractDescription,
} from './extract/extract.ts'
import type { DescriptionKind } from './kind.ts'
import { type PackedDescription, packDescription, unpackDescription } from './packed-description.ts'
import { readDescription } from './read.ts'
import { isOverRereadBudget } from './yaml-refusals.ts'

/** A description that was read and taken apart. Plain data: it can be sent between threads. */
export interface ParsedDescription extends ExtractedDescription {
  readonly format: 'json' | 'yaml'
  readonly kind: DescriptionKind
  /** `openapi` or `swagger`, as written. */
  readonly version: string
}

/** How a description is parsed. */
export interface ParseOptions extends ExtractOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which a parse that runs apart is killed; by its size when not given. */
  readonly timeoutMs?: number | undefined
  /** Where large descriptions are parsed; without it, they are refused. */
  readonly isolate?: Isolate | undefined
}

/** Name under which an `Isolate` runs `runParseTask`. */
export const PARSE_TASK = 'parse-description'

/** What an `Isolate` is given for `PARSE_TASK`. */
export interface ParseTaskInput {
  readonly bytes: Uint8Array
  readonly options: ExtractOptions
}

/**
 * Reads a description and takes from it what the catalogue keeps (Specification 4.6). Small ones
 * are parsed on the spot; others run apart when there is an isolate, since a parse of many
 * megabytes would hold up every other request, and a hostile one can be killed there.
 * Throws only `ServiceError`s (see `readDescription`), `too_expensive` when it takes too long, and
 * `too_large` beyond 1 MiB without an isolate.
 */
export async function parseDescription(
  bytes: Uint8Array,
  options: ParseOptions = {},
): Promise<ParsedDescription> {
  const { signal, timeoutMs = toTimeout(bytes), isolate, ...extract } = options
  const input: ParseTaskInput = { bytes, options: extract }
  if (!isolate) {
    if (bytes.length > MAX_BLOCKING_BYTES) throw refuseBlocking(bytes)
    return parseDescriptionHere(input)
  }
  const small = bytes.length <= MAX_INLINE_BYTES ? parseSmall(input) : undefined
  if (small) return small
  const limits = { timeoutMs, signal }
  const packed = await isolate.run<ParseTaskInput, PackedDescription>(PARSE_TASK, input, limits)
  return runInSlices(unpackDescription(packed))
}

/** Does what `PARSE_TASK` names. `release` is called when the bytes are not needed any more. */
export function runParseTask(input: ParseTaskInput, release?: () => void): PackedDescription {
  return packDescription(parseDescriptionHere(input, release))
}

/** Reads and takes apart on the spot. */
export function parseDescriptionHere(
  { bytes, options }: ParseTaskInput,
  release?: () => void,
): ParsedDescription {
  const description = readDescription(bytes, { limits: options.limits, release })
  const { format, kind, version } = description
  return { ...extractDescription(description, options), format, kind, version }
}

/** Undefined for YAML that must be parsed again so often that it would block other requests. */
function parseSmall({ bytes, options }: ParseTaskInput): ParsedDescription | undefined {
  const limits = { ...options.limits, maxRereadCharacters: MAX_INLINE_REREAD }
  try {
    return parseDescriptionHere({ bytes, options: { ...options, limits } })
  } catch (error) {
    if (isOverRereadBudget(error)) return undefined
    throw error
  }
}

/** Characters: some 40 ms of YAML. */
const MAX_INLINE_REREAD = 1024 * 1024

/** A few ms of JSON, about 20 of YAML: not worth a thread, and too little to burn much. */
const MAX_INLINE_BYTES = 128 * 1024

/** Up to 0.15 s of JSON and 0.6 s of YAML, for which a host without an isolate is blocked. */
const MAX_BLOCKING_BYTES = 1024 * 1024

function refuseBlocking({ length }: Uint8Array): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot import the file: ${length} bytes, at most ${MAX_BLOCKING_BYTES} are allowed without the option "isolate" of createApiDiscovery`,
  )
}

/** 10 s, and one for each MiB: many times what the slowest honest YAML takes on an idle machine. */
function toTimeout(bytes: Uint8Array): number {
  return Math.round(10_000 + bytes.length / 1024)
}
