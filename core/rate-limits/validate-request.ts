import type { CallValues, OutgoingCall } from '../calls/call.ts'
import type { EndpointCalls } from '../calls/call-maker.ts'
import { type InputIssue, ServiceError } from '../errors.ts'
import type { Egress } from '../ports/egress.ts'
import { findSecret } from './find-secret.ts'
import { toHostAndPort } from './hosts.ts'
import { DEFAULT_BUDGET, MAX_BUDGET, type TestBudget } from './records.ts'
import type { TestRequest } from './service.ts'

/** A validated test request, before consent is checked. */
export interface ValidatedTest {
  readonly calls: EndpointCalls
  readonly budget: TestBudget
  /** Normalised by a JSON round trip. */
  readonly values: CallValues
  readonly server: string | undefined
  readonly usesCredentials: boolean
  readonly origin: string
  /** Name and port. */
  readonly host: string
}

/**
 * Validates a test request, whose values come from `readValues`, and builds its call once. Throws
 * - `invalid_input` if it exceeds the limits (the size of its own body included), uses an unsafe
 *   method without confirmation, contains a secret, or cannot be built;
 * - `address_refused` if the egress refuses the address before sending.
 */
export async function validateTestRequest(
  request: TestRequest & { readonly values: CallValues },
  deps: { readonly calls: EndpointCalls; readonly egress: Egress },
): Promise<ValidatedTest> {
  const { calls, egress } = deps
  const budget = readBudget(request)
  requireConfirmation(request, calls.method)
  const { values } = request
  const { server, usesCredentials = false } = request
  const origin = calls.originOf(values, { server })
  const call = await calls.build(values, { server, usesCredentials, isDryRun: true })
  refuseSecrets(values, call)
  refuseLargeBody(call, budget)
  const refusal = egress.check?.(call.url)
  if (refusal) throw refusal
  return { calls, budget, values, server, usesCredentials, origin, host: toHostAndPort(origin) }
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Maximum length of the values as JSON: they are stored with the run. */
const MAX_VALUES = 64 * 1024
/** Same maximum nesting as in a request body. */
const MAX_LEVELS = 100

const LEAST = { requests: 1, rate: 1, payloadBytes: 0 } as const
const WIRE_NAMES = { requests: 'requests', rate: 'rate', payloadBytes: 'payload_bytes' } as const

function readBudget(request: TestRequest): TestBudget {
  const issues: InputIssue[] = []
  const read = (name: keyof TestBudget): number => {
    const value = request[name] ?? DEFAULT_BUDGET[name]
    if (Number.isInteger(value) && value >= LEAST[name] && value <= MAX_BUDGET[name]) return value
    const message = `must be a whole number from ${LEAST[name]} to ${MAX_BUDGET[name]}`
    issues.push({ in: 'form', name: WIRE_NAMES[name], message })
    return 0
  }
  const budget = {
    requests: read('requests'),
    rate: read('rate'),
    payloadBytes: read('payloadBytes'),
  }
  if (issues.length === 0) return budget
  throw new ServiceError('invalid_input', 'Cannot start the test: invalid budget', {
    issues,
  })
}

function requireConfirmation({ confirmsUnsafe = false }: TestRequest, method: string): void {
  if (SAFE.has(method) || confirmsUnsafe) return
  const message = `must be true: every ${method} request may change data`
  throw new ServiceError(
    'invalid_input',
    `Cannot start the test: ${method} requests may change data and need confirmation`,
    { issues: [{ in: 'form', name: 'confirm_unsafe', message }] },
  )
}

/**
 * Returns the values after a JSON round trip, the form in which they are stored. Throws
 * `invalid_input` if they are too deep or too long.
 */
export function normalizeValues(values: CallValues = {}): CallValues {
  refuseDeepValues(values)
  const text = JSON.stringify(values)
  if (text.length <= MAX_VALUES) return JSON.parse(text)
  throw createTooLongError()
}

/**
 * Iterates instead of recursing. Limits the number of members to the maximum length of the JSON.
 */
function refuseDeepValues(values: CallValues): void {
  const left: { readonly value: unknown; readonly level: number }[] = [{ value: values, level: 1 }]
  let parts = 0
  for (let part = left.pop(); part; part = left.pop()) {
    const { value, level } = part
    if (typeof value !== 'object' || value === null) continue
    if (level > MAX_LEVELS) throw createInvalidValuesError(`must have at most ${MAX_LEVELS} levels`)
    const members = Object.values(value)
    parts += members.length
    if (parts > MAX_VALUES) throw createTooLongError()
    for (const member of members) left.push({ value: member, level: level + 1 })
  }
}

function createTooLongError(): ServiceError {
  return createInvalidValuesError(`must have at most ${MAX_VALUES} characters as JSON`)
}

/** Values are stored with the run in plain text, so they must not contain secrets. */
function refuseSecrets(values: CallValues, call: OutgoingCall): void {
  const name = findSecret(values, call)
  if (name === undefined) return
  throw createInvalidValuesError(
    `must not contain the secret "${name}": store it as a credential of the account and set use_credentials`,
  )
}

/** Every request of the ramp has this body, so it must fit the budget. */
function refuseLargeBody({ body }: OutgoingCall, { payloadBytes }: TestBudget): void {
  const bytes = body?.byteLength ?? 0
  if (bytes <= payloadBytes) return
  const message = `must be at least ${bytes} bytes, the size of the request body`
  throw new ServiceError('invalid_input', 'Cannot start the test: the request body is too large', {
    issues: [{ in: 'form', name: WIRE_NAMES.payloadBytes, message }],
  })
}

function createInvalidValuesError(message: string): ServiceError {
  return new ServiceError('invalid_input', 'Cannot start the test: invalid values', {
    issues: [{ in: 'form', name: 'values', message }],
  })
}
