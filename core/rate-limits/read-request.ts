import type { CallValues, OutgoingCall } from '../calls/call.ts'
import type { EndpointCalls } from '../calls/call-maker.ts'
import type { Egress } from '../egress/egress.ts'
import { type InputIssue, ServiceError } from '../http/problems.ts'
import { findSecret } from './find-secret.ts'
import { toHost } from './hosts.ts'
import { DEFAULT_BUDGET, MAX_BUDGET, type TestBudget } from './records.ts'
import type { TestRequest } from './service.ts'

/** A test that may be asked for, whether it is allowed or not. */
export interface AskedTest {
  readonly calls: EndpointCalls
  readonly budget: TestBudget
  /** As they come out of JSON. */
  readonly values: CallValues
  readonly server: string | undefined
  readonly usesCredentials: boolean
  readonly origin: string
  /** Name and port. */
  readonly host: string
}

/**
 * Reads what a caller asks for, its values as `readValues` gives them, and builds its call once.
 * Throws `invalid_input` for what is beyond the ceilings (its own body included), not safe and not
 * confirmed, or secret, and all that the call cannot be built for; and `address_refused` where the
 * egress can tell without sending.
 */
export async function readRequest(
  request: TestRequest & { readonly values: CallValues },
  deps: { readonly calls: EndpointCalls; readonly egress: Egress },
): Promise<AskedTest> {
  const { calls, egress } = deps
  const budget = readBudget(request)
  requireSafe(request, calls.method)
  const { values } = request
  const { server, usesCredentials = false } = request
  const origin = calls.originOf(values, { server })
  const call = await calls.build(values, { server, usesCredentials, isDryRun: true })
  refuseSecrets(values, call)
  refuseLarge(call, budget)
  const refusal = egress.check?.(call.url)
  if (refusal) throw refusal
  return { calls, budget, values, server, usesCredentials, origin, host: toHost(origin) }
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Of the values as JSON: they are kept with the run. */
const MAX_VALUES = 64 * 1024
/** As in the body of a request. */
const MAX_LEVELS = 100

const LEAST = { requests: 1, rate: 1, payloadBytes: 0 } as const
const WIRE_NAMES = { requests: 'requests', rate: 'rate', payloadBytes: 'payload_bytes' } as const

function readBudget(request: TestRequest): TestBudget {
  const issues: InputIssue[] = []
  const read = (name: keyof TestBudget): number => {
    const value = request[name] ?? DEFAULT_BUDGET[name]
    if (Number.isInteger(value) && value >= LEAST[name] && value <= MAX_BUDGET[name]) return value
    const message = `must be a whole number from ${LEAST[name]} to ${MAX_BUDGET[name]}, the ceiling of every test`
    issues.push({ in: 'form', name: WIRE_NAMES[name], message })
    return 0
  }
  const budget = {
    requests: read('requests'),
    rate: read('rate'),
    payloadBytes: read('payloadBytes'),
  }
  if (issues.length === 0) return budget
  throw new ServiceError('invalid_input', 'Cannot test so: the budget is not one of a test', {
    issues,
  })
}

function requireSafe({ confirmsUnsafe = false }: TestRequest, method: string): void {
  if (SAFE.has(method) || confirmsUnsafe) return
  const message = `must be true: each request of ${method} may change something`
  throw new ServiceError(
    'invalid_input',
    `Cannot test ${method} unconfirmed: GET, HEAD and OPTIONS are safe`,
    { issues: [{ in: 'form', name: 'confirm_unsafe', message }] },
  )
}

/**
 * The values as they come out of JSON, as which they are kept. Throws `invalid_input` for more than
 * can be.
 */
export function readValues(values: CallValues = {}): CallValues {
  refuseDeep(values)
  const text = JSON.stringify(values)
  if (text.length <= MAX_VALUES) return JSON.parse(text)
  throw refuseLong()
}

/** Without recursion, and of no more parts than the text may have characters. */
function refuseDeep(values: CallValues): void {
  const left: { readonly value: unknown; readonly level: number }[] = [{ value: values, level: 1 }]
  let parts = 0
  for (let part = left.pop(); part; part = left.pop()) {
    const { value, level } = part
    if (typeof value !== 'object' || value === null) continue
    if (level > MAX_LEVELS) throw refuseValues(`must be no more than ${MAX_LEVELS} levels deep`)
    const members = Object.values(value)
    parts += members.length
    if (parts > MAX_VALUES) throw refuseLong()
    for (const member of members) left.push({ value: member, level: level + 1 })
  }
}

function refuseLong(): ServiceError {
  return refuseValues(`must be no more than ${MAX_VALUES} characters of JSON`)
}

/** Values are kept with the run, and no secret is kept but sealed. */
function refuseSecrets(values: CallValues, call: OutgoingCall): void {
  const name = findSecret(values, call)
  if (name === undefined) return
  throw refuseValues(
    `must hold no secret, as "${name}" is: store it as a credential of the account, and set use_credentials`,
  )
}

/** Every request of the ramp has this body. */
function refuseLarge({ body }: OutgoingCall, { payloadBytes }: TestBudget): void {
  const bytes = body?.byteLength ?? 0
  if (bytes <= payloadBytes) return
  const message = `must be ${bytes} bytes at least, which the body of the values has`
  throw new ServiceError('invalid_input', 'Cannot test so: each body is larger than allowed', {
    issues: [{ in: 'form', name: WIRE_NAMES.payloadBytes, message }],
  })
}

function refuseValues(message: string): ServiceError {
  return new ServiceError('invalid_input', 'Cannot keep the values of the test', {
    issues: [{ in: 'form', name: 'values', message }],
  })
}
