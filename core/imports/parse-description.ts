import type { EndpointDescription } from '../catalogue/records.ts'
import { ServiceError } from '../errors.ts'
import type { Isolate } from '../ports/isolate.ts'
import { runInTimeSlices, type SteppedWork } from '../shared/time-slices.ts'
import type { DescriptionKind } from './detect-kind.ts'
import {
  type ExtractedDescription,
  type ExtractOptions,
  extractDescription,
} from './extract/extract-description.ts'
import { readDescription } from './read-description.ts'
import { isOverRereadBudget } from './yaml-errors.ts'

/** A parsed and extracted description. Plain data, so it can be sent between threads. */
export interface ParsedDescription extends ExtractedDescription {
  readonly format: 'json' | 'yaml'
  readonly kind: DescriptionKind
  /** `openapi`, `swagger` or `protocolVersion`, as written. */
  readonly version: string
}

/** How a description is parsed. */
export interface ParseOptions extends ExtractOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until an isolated parse is killed; derived from the size by default. */
  readonly timeoutMs?: number | undefined
  /** Isolate for large descriptions; without it, they are rejected. */
  readonly isolate?: Isolate | undefined
}

/** Name of the isolate task that runs `runParseTask`. */
export const PARSE_TASK = 'parse-description'

/** Input of `PARSE_TASK`. */
export interface ParseTaskInput {
  readonly bytes: Uint8Array
  readonly options: ExtractOptions
}

/**
 * Parses a description and extracts the data for the catalogue (Specification 4.6). Small ones are
 * parsed inline. Others run in the isolate if there is one: a parse of many megabytes would block
 * all other requests, and a hostile one can be killed there. Throws only `ServiceError`s (see
 * `readDescription`): also `too_expensive` on timeout, and `too_large` beyond 1 MiB without an
 * isolate.
 */
export async function parseDescription(
  bytes: Uint8Array,
  options: ParseOptions = {},
): Promise<ParsedDescription> {
  const { signal, timeoutMs = computeTimeout(bytes), isolate, ...extract } = options
  const input: ParseTaskInput = { bytes, options: extract }
  if (!isolate) {
    if (bytes.length > MAX_BLOCKING_BYTES) throw createIsolateRequiredError(bytes)
    return parseInline(input)
  }
  const small = bytes.length <= MAX_INLINE_BYTES ? parseSmall(input) : undefined
  if (small) return small
  const limits = { timeoutMs, signal }
  const packed = await isolate.run<ParseTaskInput, PackedDescription>(PARSE_TASK, input, limits)
  return runInTimeSlices(unpackDescription(packed))
}

/** Runs `PARSE_TASK`. Calls `release` once the bytes are no longer needed. */
export function runParseTask(input: ParseTaskInput, release?: () => void): PackedDescription {
  return packDescription(parseInline(input, release))
}

/** Parses and extracts inline. */
export function parseInline(
  { bytes, options }: ParseTaskInput,
  release?: () => void,
): ParsedDescription {
  const description = readDescription(bytes, { limits: options.limits, release })
  const { format, kind, version } = description
  return { ...extractDescription(description, options), format, kind, version }
}

/**
 * Parses a small description. Returns undefined for YAML that must be parsed again so often that it
 * would block other requests.
 */
function parseSmall({ bytes, options }: ParseTaskInput): ParsedDescription | undefined {
  const limits = { ...options.limits, maxRereadCharacters: MAX_INLINE_REREAD }
  try {
    return parseInline({ bytes, options: { ...options, limits } })
  } catch (error) {
    if (isOverRereadBudget(error)) return undefined
    throw error
  }
}

/** In characters: about 40 ms of YAML. */
const MAX_INLINE_REREAD = 1024 * 1024

/** A few ms of JSON, about 20 ms of YAML: too short to need a thread or to be abused. */
const MAX_INLINE_BYTES = 128 * 1024

/** Up to 0.15 s of JSON and 0.6 s of YAML, which blocks a host without an isolate. */
const MAX_BLOCKING_BYTES = 1024 * 1024

function createIsolateRequiredError({ length }: Uint8Array): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot import the file: ${length} bytes, at most ${MAX_BLOCKING_BYTES} are allowed without the option "isolate" of createApiDiscovery`,
  )
}

/**
 * Returns 10 s plus 1 s per MiB. The slowest legitimate YAML takes a small part of that on an idle
 * machine.
 */
function computeTimeout(bytes: Uint8Array): number {
  return Math.round(10_000 + bytes.length / 1024)
}

/**
 * A description for messages between threads, which copy their content. Contains each shared part
 * once: large descriptions refer to each parameter about a hundred times.
 */
interface PackedDescription extends Omit<ParsedDescription, 'endpoints'> {
  readonly endpoints: readonly PackedEndpoint[]
  /** Parameters, and lists of servers, security requirements and names. */
  readonly shared: readonly object[]
}

type SharedMember = 'parameters' | (typeof SHARED_LISTS)[number]

interface PackedEndpoint extends Omit<EndpointDescription, SharedMember> {
  /** Indexes in `shared`: those of `SHARED_LISTS`, then the parameters. */
  readonly positions: readonly number[]
}

const SHARED_LISTS = ['servers', 'security', 'authTypes', 'responseFields'] as const

/** Packs a description for sending to another thread. */
function packDescription(description: ParsedDescription): PackedDescription {
  const positions = new Map<object, number>()
  const shared: object[] = []
  const toPosition = (part: object): number => {
    const known = positions.get(part)
    if (known !== undefined) return known
    positions.set(part, shared.length)
    return shared.push(part) - 1
  }
  const endpoints = description.endpoints.map((endpoint): PackedEndpoint => {
    const { parameters, servers, security, authTypes, responseFields, ...rest } = endpoint
    const parts = [servers, security, authTypes, responseFields, ...parameters]
    return { ...rest, positions: parts.map(toPosition) }
  })
  return { ...description, endpoints, shared }
}

/** Restores a description packed by `packDescription`. */
export function* unpackDescription(packed: PackedDescription): SteppedWork<ParsedDescription> {
  const { shared, endpoints, ...description } = packed
  // `packDescription` put values of this type at these positions.
  const getSharedParts = <Part>(positions: readonly number[]) =>
    positions.map((position) => shared[position] as Part)
  const unpacked: EndpointDescription[] = []
  for (const { positions, ...endpoint } of endpoints) {
    const [servers = [], security = [], authTypes = [], responseFields = []] = getSharedParts<
      never[]
    >(positions.slice(0, SHARED_LISTS.length))
    const parameters = getSharedParts<EndpointDescription['parameters'][number]>(
      positions.slice(SHARED_LISTS.length),
    )
    unpacked.push({ ...endpoint, servers, security, authTypes, responseFields, parameters })
    yield
  }
  return { ...description, endpoints: unpacked }
}
