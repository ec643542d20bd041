import { ServiceError } from '../errors.ts'
import type { TestInput } from './records.ts'
import type { TestRun } from './runs.ts'
import type { TestRequest } from './service.ts'

/**
 * Throws `options_differ` if a request differs from the endpoint's open run: the caller would
 * assume that the requested options apply. Omitted options match anything.
 */
export function requireSameOptions({ id, state, input }: TestRun, request: TestRequest): void {
  const differing = listDifferingOptions(input, request)
  if (differing.length === 0) return
  const names = differing.join(', ')
  const isOne = /^[^,]*[^s]$/.test(names)
  throw new ServiceError(
    'options_differ',
    `Cannot start the test: run ${id} of this endpoint is ${state}, and its ${names} ${isOne ? 'differs' : 'differ'} from the request. Stop the run or wait until it ends`,
    { extra: { run: id, state, options: differing } },
  )
}

/** Lists the options that differ, by their wire names. */
function listDifferingOptions(
  { budget, ...input }: TestInput,
  request: TestRequest,
): readonly string[] {
  const { requests, rate, payloadBytes, values = {}, server, usesCredentials = false } = request
  const isOther = (asked: unknown, present: unknown) => asked !== undefined && asked !== present
  return [
    ...(isOther(requests, budget.requests) ? ['requests'] : []),
    ...(isOther(rate, budget.rate) ? ['rate'] : []),
    ...(isOther(payloadBytes, budget.payloadBytes) ? ['payload_bytes'] : []),
    ...(Object.keys(values).length > 0 && toSortedJson(values) !== toSortedJson(input.values)
      ? ['values']
      : []),
    ...(isOther(server, input.server) ? ['server'] : []),
    ...(usesCredentials && !input.usesCredentials ? ['use_credentials'] : []),
  ]
}

/** Serialises independently of the order of keys. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [two]) => (one < two ? -1 : 1)))
      : each,
  )
}
