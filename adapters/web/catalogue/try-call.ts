import type { GatewayCall } from '../../../core/gateway/index.ts'
import { type ErrorCode, type InputIssue, ServiceError } from '../../../core/index.ts'
import type { ViewedRequest } from '../page.ts'

/** A call entered in the form. */
export interface TriedCall {
  readonly endpointId: string
  readonly values: Readonly<Record<string, unknown>>
  readonly server: string | undefined
  readonly followRedirects: boolean
}

/** A target's response, possibly truncated. */
export interface TriedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Duration in milliseconds until the end of `bytes` was read. */
  readonly ms: number
  /** The bytes of the body that were read. */
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/** Why a call was not made or returned no response. */
export interface TriedFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly issues: readonly InputIssue[]
}

/** A preview of the request, with masked secrets. */
export interface ShownCall {
  readonly curl: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
  }
  readonly would_be_refused?: string
}

/** Maximum size of a shown body in bytes; the rest is truncated. */
const MAX_BYTES = 256 * 1024

/** Sends a call for the viewer, and reads the first bytes of its response. */
export async function sendCall(
  request: ViewedRequest,
  call: TriedCall,
): Promise<TriedResponse | TriedFailure> {
  const start = performance.now()
  return catchFailure(async () => {
    const answer = await request.app.gateway.call(toGatewayCall(request, call), {
      ...request.viewer.caller,
      source: 'console',
    })
    const { bytes, isWhole } = await readFirstBytes(answer.body)
    const { status, headers } = answer
    return { status, headers, bytes, isWhole, ms: performance.now() - start }
  })
}

/** Previews a call without sending it. */
export async function showCall(
  request: ViewedRequest,
  call: TriedCall,
): Promise<ShownCall | TriedFailure> {
  return catchFailure(async () => {
    const { gateway } = request.app
    const dry = { ...toGatewayCall(request, call), isDryRun: true }
    const { body } = await gateway.call(dry, request.viewer.caller)
    // The gateway returns JSON text for dry runs.
    return JSON.parse(typeof body === 'string' ? body : '{}') as ShownCall
  })
}

export function isFailure<T extends object>(result: T | TriedFailure): result is TriedFailure {
  return 'code' in result && 'issues' in result
}

function toGatewayCall(request: ViewedRequest, call: TriedCall): GatewayCall {
  return { ...call, accept: '*/*', signal: request.signal }
}

async function catchFailure<T>(work: () => Promise<T>): Promise<T | TriedFailure> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal') throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }
}

async function readFirstBytes(
  body: string | AsyncIterable<Uint8Array> | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  if (body === undefined) return { bytes: new Uint8Array(), isWhole: true }
  if (typeof body === 'string') return { bytes: new TextEncoder().encode(body), isWhole: true }
  const bytes = new Uint8Array(MAX_BYTES)
  let length = 0
  for await (const chunk of body) {
    const taken = chunk.subarray(0, MAX_BYTES - length)
    bytes.set(taken, length)
    length += taken.length
    // Leaving the loop cancels the rest.
    if (taken.length < chunk.length) return { bytes, isWhole: false }
  }
  return { bytes: bytes.slice(0, length), isWhole: true }
}
