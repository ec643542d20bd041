import type { Isolate } from '../ports.ts'
import {
  type ExtractedDescription,
  type ExtractOptions,
  extractDescription,
} from './extract/extract.ts'
import type { DescriptionKind } from './kind.ts'
import { readDescription } from './read.ts'

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
  /** Milliseconds after which a parse that runs apart is killed; 20,000 when not given. */
  readonly timeoutMs?: number | undefined
  /** Where large descriptions are parsed; without it, all are parsed on the spot. */
  readonly isolate?: Isolate | undefined
}

/** Name under which an `Isolate` runs `parseDescriptionHere`. */
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
 * Throws only `ServiceError`s (see `readDescription`), `too_expensive` when it takes too long.
 */
export async function parseDescription(
  bytes: Uint8Array,
  options: ParseOptions = {},
): Promise<ParsedDescription> {
  const { signal, timeoutMs = 20_000, isolate, ...extract } = options
  const input: ParseTaskInput = { bytes, options: extract }
  if (!isolate || bytes.length <= MAX_INLINE_BYTES) return parseDescriptionHere(input)
  return isolate.run<ParseTaskInput, ParsedDescription>(PARSE_TASK, input, { timeoutMs, signal })
}

/** Reads and takes apart on the spot. */
export function parseDescriptionHere({ bytes, options }: ParseTaskInput): ParsedDescription {
  const description = readDescription(bytes, { limits: options.limits })
  const { format, kind, version } = description
  return { ...extractDescription(description, options), format, kind, version }
}

/** About 5 ms of JSON or 15 ms of YAML: less than it costs to hand work over. */
const MAX_INLINE_BYTES = 128 * 1024
