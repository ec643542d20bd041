import {
  type GatewayCall,
  type InputIssue,
  type ProblemCode,
  ServiceError,
} from '../../../core/index.ts'
import type { ViewedRequest } from '../page.ts'

/** A call as a person put it together. */
export interface TriedCall {
  readonly endpointId: string
  readonly values: Readonly<Record<string, unknown>>
  readonly server: string | undefined
  readonly followRedirects: boolean
}

/** What a target answered, as far as it is shown. */
export interface TriedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** To the end of what was read of the body. */
  readonly ms: number
  /** What was read of it. */
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

/** Why a call was not made, or got no answer. */
export interface TriedFailure {
  readonly code: ProblemCode
  readonly message: string
  readonly issues: readonly InputIssue[]
}

/** The request that would be sent, its secrets masked. */
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

/** Shown of an answer; more is cut off. */
const MAX_BYTES = 256 * 1024

/** Sends a call for the viewer, and reads the beginning of its answer. */
export async function sendCall(
  request: ViewedRequest,
  call: TriedCall,
): Promise<TriedAnswer | TriedFailure> {
  const start = performance.now()
  return settle(async () => {
    const answer = await request.app.gateway.call(toGatewayCall(request, call), {
      ...request.viewer.caller,
      source: 'console',
    })
    const { bytes, isWhole } = await readBeginning(answer.body)
    const { status, headers } = answer
    return { status, headers, bytes, isWhole, ms: performance.now() - start }
  })
}

/** Asks what would be sent; nothing is. */
export async function showCall(
  request: ViewedRequest,
  call: TriedCall,
): Promise<ShownCall | TriedFailure> {
  return settle(async () => {
    const { gateway } = request.app
    const dry = { ...toGatewayCall(request, call), isDryRun: true }
    const { body } = await gateway.call(dry, request.viewer.caller)
    // Written by the gateway as JSON text.
    return JSON.parse(typeof body === 'string' ? body : '{}') as ShownCall
  })
}

export function isFailure<T extends object>(result: T | TriedFailure): result is TriedFailure {
  return 'code' in result && 'issues' in result
}

function toGatewayCall(request: ViewedRequest, call: TriedCall): GatewayCall {
  return { ...call, accept: '*/*', signal: request.signal }
}

async function settle<T>(work: () => Promise<T>): Promise<T | TriedFailure> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal') throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }
}

async function readBeginning(
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
    // Leaving the loop lets go of the rest.
    if (taken.length < chunk.length) return { bytes, isWhole: false }
  }
  return { bytes: bytes.slice(0, length), isWhole: true }
}
