import { type Contract, contract } from './contract.ts'
import type { CallInput, CallOutput, Operation, Param } from './http/operation.ts'

/** One method for each operation: typed input in, typed answer out. */
export type Client = {
  readonly [K in keyof Contract]: Record<never, never> extends CallInput<Contract[K]>
    ? (input?: CallInput<Contract[K]>, options?: CallOptions) => Promise<CallOutput<Contract[K]>>
    : (input: CallInput<Contract[K]>, options?: CallOptions) => Promise<CallOutput<Contract[K]>>
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

/** What the service answered instead of a success. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** HTTP status. */
  readonly status: number
  /** The stable word of the problem document; empty when the answer was none. */
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
 * Creates a typed client. `baseUrl` holds the base path: `http://127.0.0.1:8080/api`. Methods
 * reject with a `ClientError` for anything but success. `fetch` may be replaced, by `app.fetch`
 * for example, to call without a network.
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
        const request = toRequest(operation, input, options)
        return readAnswer(operation, await send(new Request(request, { ...call, ...MANUAL })))
      },
    ],
  )
  return Object.fromEntries(methods) as Client
}

/** `fetch` takes the key along to whatever origin a redirect names; the service never redirects. */
const MANUAL = { redirect: 'manual' } as const

function toRequest(
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
    if (value !== undefined) placeValue({ name, param, value: String(value) }, { url, headers })
  }
  const { body } = operation
  if (!body || body.kind === 'form') return new Request(url, { method: operation.method, headers })
  headers.set('content-type', body.kind === 'json' ? 'application/json' : BODY_TYPES[body.kind])
  return new Request(url, {
    method: operation.method,
    headers,
    body: toBody(body.kind, input) as BodyInit,
  })
}

const BODY_TYPES = { file: 'application/octet-stream', ndjson: 'application/x-ndjson' } as const

function toBody(kind: 'json' | 'file' | 'ndjson', input: Readonly<Record<string, unknown>>) {
  if (kind === 'json') return JSON.stringify(input.body)
  if (kind === 'file') return input.file
  const rows = [...(input.rows as Iterable<unknown>)]
  return [input.head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

function placeValue(
  given: { readonly name: string; readonly param: Param; readonly value: string },
  request: { readonly url: URL; readonly headers: Headers },
): void {
  if (given.param.in === 'header') {
    request.headers.set(given.name, encodeURIComponent(given.value))
  } else request.url.searchParams.set(given.name, given.value)
}

async function readAnswer(operation: Operation, response: Response): Promise<unknown> {
  if (!response.ok) {
    const text = await response.text()
    throw new ClientError(response.status, parseObject(text))
  }
  if (operation.output.kind === 'empty') return undefined
  if (operation.output.kind === 'json' || operation.output.kind === 'rows') return response.json()
  return new Uint8Array(await response.arrayBuffer())
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
