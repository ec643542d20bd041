import { type Contract, contract } from './contract.ts'
import type { CallInput, CallOutput } from './http/call-types.ts'
import type { BodyValues, Operation, Param, UploadedFile } from './http/operation.ts'

/** One typed method for each operation. */
export type Client = {
  readonly [K in keyof Contract]: Record<never, never> extends CallInput<Contract[K]>
    ? (input?: CallInput<Contract[K]>, options?: CallOptions) => Promise<CallOutput<Contract[K]>>
    : (input: CallInput<Contract[K]>, options?: CallOptions) => Promise<CallOutput<Contract[K]>>
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

/**
 * An error response of the service.
 *
 * @example
 * ```ts
 * import { ClientError, createClient } from 'api-discovery/client'
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080/api', apiKey: 'wrong' })
 * const found = await client.listCategories().catch((error: unknown) => {
 *   if (error instanceof ClientError && error.status === 401) return undefined
 *   throw error
 * })
 * ```
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** HTTP status. */
  readonly status: number
  /** Stable code of the problem document; empty if the response was not one. */
  readonly code: string
  /** The problem document, or undefined. */
  readonly problem: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, problem: Readonly<Record<string, unknown>> | undefined) {
    super(typeof problem?.detail === 'string' ? problem.detail : `HTTP status ${status}`)
    this.status = status
    this.code = typeof problem?.code === 'string' ? problem.code : ''
    this.problem = problem
  }
}

/**
 * Creates a typed client. `baseUrl` includes the base path: `http://127.0.0.1:8080/api`. Methods
 * reject with a `ClientError` unless the call succeeds. `fetch` may be replaced, for example by
 * `app.fetch`, to call without a network.
 *
 * @example
 * ```ts
 * import { createClient } from 'api-discovery/client'
 *
 * const apiKey = process.env.API_KEY ?? ''
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080/api', apiKey })
 * const { endpoints } = await client.searchEndpoints({ q: 'weather forecast', size: 3 })
 * ```
 */
export function createClient(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: (request: Request) => Promise<Response> | Response
}): Client {
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const methods = Object.entries(contract as Readonly<Record<string, Operation>>).map(
    ([name, operation]) => [
      name,
      async (input: Readonly<Record<string, unknown>> = {}, call: CallOptions = {}) => {
        const request = buildRequest(operation, input, options)
        return readResponse(
          operation,
          await send(new Request(request, { ...call, ...NO_REDIRECTS })),
        )
      },
    ],
  )
  return Object.fromEntries(methods) as Client
}

/** `fetch` would send the key to any origin that a redirect names; the service never redirects. */
const NO_REDIRECTS = { redirect: 'manual' } as const

function buildRequest(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: { readonly baseUrl: string; readonly apiKey: string },
): Request {
  const base = new URL(options.baseUrl)
  const prefix = operation.mount === 'root' ? '' : base.pathname.replace(/\/$/, '')
  const url = new URL(`${base.origin}${prefix}${operation.paths[0]}`)
  const headers = new Headers({ 'api-key': options.apiKey, accept: 'application/json, */*' })
  for (const [name, param] of Object.entries(operation.params ?? {})) {
    const value = input[name]
    if (value !== undefined) setParamValue({ name, param, value: String(value) }, { url, headers })
  }
  if (isForwarded(operation)) {
    // Forwarded encodings would have to be decoded here. The target chooses its media types.
    headers.set('accept-encoding', 'identity')
    headers.set('accept', '*/*')
  }
  const { method, body } = operation
  if (!body || body.kind === 'form') return new Request(url, { method, headers })
  const content = toRequestContent(body.kind, input)
  // The form sets the header itself, with its boundary.
  if (!(content instanceof FormData)) headers.set('content-type', BODY_TYPES[body.kind])
  const init = { method, headers, body: content as BodyInit }
  // `fetch` requires this option for a streamed body.
  const duplex = content instanceof ReadableStream ? { duplex: 'half' as const } : {}
  return new Request(url, { ...init, ...duplex })
}

const BODY_TYPES = {
  json: 'application/json',
  values: 'application/json',
  file: 'application/octet-stream',
  ndjson: 'application/x-ndjson',
} as const

function toRequestContent(kind: keyof typeof BODY_TYPES, input: Readonly<Record<string, unknown>>) {
  if (kind === 'json') return JSON.stringify(input.body)
  if (kind === 'values') return toValuesBody((input.body ?? {}) as BodyValues)
  if (kind === 'file') return input.file
  return toReadableStream(writeLines(input.head, input.rows as AsyncIterable<unknown> | undefined))
}

const CHUNK_CHARACTERS = 64 * 1024

/**
 * Writes head and rows as one line each, in chunks of about 64 KiB; memory does not grow with the
 * rows.
 */
async function* writeLines(
  head: unknown,
  rows: AsyncIterable<unknown> | Iterable<unknown> = [],
): AsyncGenerator<Uint8Array, undefined, undefined> {
  const encoder = new TextEncoder()
  let text = `${JSON.stringify(head)}\n`
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`
    if (text.length < CHUNK_CHARACTERS) continue
    yield encoder.encode(text)
    text = ''
  }
  if (text !== '') yield encoder.encode(text)
}

/** Replaces `ReadableStream.from`, which some runtimes lack. */
function toReadableStream(
  chunks: AsyncGenerator<Uint8Array, undefined, undefined>,
): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

/** Sends JSON, which preserves types, unless a value contains bytes. */
function toValuesBody(values: BodyValues): string | FormData {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, unknown] => [name, each]),
  )
  if (!pairs.some(([, value]) => toUpload(value))) return JSON.stringify(values)
  const form = new FormData()
  for (const [name, value] of pairs) {
    if (value === undefined || value === null) continue
    const upload = toUpload(value)
    if (upload) form.append(name, upload.blob, upload.filename)
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}

function toUpload(value: unknown): { readonly blob: Blob; readonly filename: string } | undefined {
  if (value instanceof Uint8Array) return { blob: toBlob(value, ''), filename: 'file' }
  if (typeof value !== 'object' || value === null) return undefined
  const { bytes, filename, mediaType } = value as Partial<UploadedFile>
  if (!(bytes instanceof Uint8Array)) return undefined
  return { blob: toBlob(bytes, mediaType ?? ''), filename: filename || 'file' }
}

function toBlob(bytes: Uint8Array, type: string): Blob {
  // Narrows only the type: callers pass no views of shared memory.
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type })
}

function isForwarded({ output }: Operation): boolean {
  return output.kind === 'raw' && output.isPassedOn === true
}

function setParamValue(
  param: { readonly name: string; readonly param: Param; readonly value: string },
  request: { readonly url: URL; readonly headers: Headers },
): void {
  if (param.param.in === 'header') {
    request.headers.set(param.name, encodeURIComponent(param.value))
  } else request.url.searchParams.set(param.name, param.value)
}

const JSON_OUTPUTS: ReadonlySet<string> = new Set(['json', 'rows', 'document'])

async function readResponse(operation: Operation, response: Response): Promise<unknown> {
  const isOurs = !isForwarded(operation)
  if (isOurs ? !response.ok : response.headers.has('gateway-error')) {
    const text = await response.text()
    throw new ClientError(response.status, parseProblem(text))
  }
  if (!isOurs) {
    const { status, headers } = response
    const body = new Uint8Array(await response.arrayBuffer())
    return { status, headers: Object.fromEntries(headers), body }
  }
  if (operation.output.kind === 'empty') return undefined
  if (JSON_OUTPUTS.has(operation.output.kind)) return response.json()
  return new Uint8Array(await response.arrayBuffer())
}

function parseProblem(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
