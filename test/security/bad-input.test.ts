import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract.ts'
import type { Operation, Param } from '../../core/http/operation.ts'
import { BOOLEAN_ABUSES, DATE_ABUSES, NUMBER_ABUSES } from '../contract/abuses.ts'
import type { BadInputCase } from '../contract/bad-input-case.ts'
import { BAD_INPUT_CASES } from '../contract/bad-input-cases.ts'
import { findOutputIssue } from '../contract/output-check.ts'
import { type Built, VALID_REQUESTS, withQuery } from '../contract/valid-requests.ts'
import { askInProcess, type WireAnswer, type WireRequest } from '../contract/ways.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const operations: Readonly<Record<string, Operation>> = contract
const counts = { requests: 0 }
let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(async () => {
  console.log(`bad input: ${counts.requests} requests`)
  await service.close()
})

async function askCounted(name: string, request: WireRequest): Promise<WireAnswer> {
  counts.requests += 1
  const headers = { 'api-key': service.keys.all, 'x-request-id': 'bad', ...request.headers }
  const answer = await askInProcess(service).ask({ ...request, headers })
  expect([request.target, findOutputIssue(operations[name] as Operation, answer)]).toEqual([
    request.target,
    undefined,
  ])
  return answer
}

function toIssueNames({ body }: WireAnswer): readonly string[] {
  const { errors = [] } = JSON.parse(body) as { readonly errors?: readonly { name: string }[] }
  return errors.map(({ name }) => name)
}

describe.each(Object.entries(BAD_INPUT_CASES))('%s', (name, cases) => {
  it.each(cases.map((each) => [each.name.slice(0, 100), each] as const))(
    'validates %s',
    async (_, { request, status, code, errors = [] }: BadInputCase) => {
      const answer = await askCounted(name, request)
      if (status === 200) {
        expect([answer.status, answer.body]).toEqual([200, expect.any(String)])
        return
      }
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code])
      expect(toIssueNames(answer)).toEqual(errors)
    },
  )
})

/** All parameters of the built operations that are documented with this property. */
function findParams(
  isWanted: (document: Param['document']) => boolean,
): readonly (readonly [operation: string, param: string, request: WireRequest])[] {
  return Object.entries(VALID_REQUESTS).flatMap(([name, request]) =>
    Object.entries(operations[name as Built]?.params ?? {})
      .filter(([, param]) => isWanted(param.document))
      .map(([param]) => [name, param, request] as const),
  )
}

describe.each([
  ['integers', findParams(({ type }) => type === 'integer'), NUMBER_ABUSES],
  ['days', findParams(({ format }) => format === 'date'), DATE_ABUSES],
  ['booleans', findParams(({ type }) => type === 'boolean'), BOOLEAN_ABUSES],
  ['words of a set', findParams(({ enum: values }) => values !== undefined), ['x', 'null', '0']],
] as const)('invalid %s', (_, params, values) => {
  it.each(params)('are rejected by name: %s %s', async (name, param, request) => {
    const { minimum = 1, maximum } = operations[name]?.params?.[param]?.document ?? {}
    for (const value of values) {
      const isInBounds =
        /^\d{1,15}$/.test(value) &&
        Number(value) >= Number(minimum) &&
        Number(value) <= Number(maximum)
      if (isInBounds) continue
      const answer = await askCounted(name, withQuery(request, { [param]: value }))
      expect([value, answer.status, toIssueNames(answer)]).toEqual([value, 400, [param]])
    }
  })

  it.each(params)('are rejected if repeated: %s %s', async (name, param, request) => {
    const { target } = withQuery(request, { [param]: '1' })
    const answer = await askCounted(name, { ...request, target: `${target}&${param}=1` })
    expect([answer.status, toIssueNames(answer).filter((each) => each === param)]).toEqual([
      400,
      [param],
    ])
  })
})

describe('texts', () => {
  it.each(findParams(({ type, maxLength }) => type === 'string' && maxLength !== undefined))(
    'that are too long are rejected by name: %s %s',
    async (name, param, request) => {
      const document = operations[name]?.params?.[param]?.document
      const value = 'x'.repeat(Number(document?.maxLength) + 1)
      const answer = await askCounted(name, toRequestWith({ name, param, request }, value))
      expect([answer.status, toIssueNames(answer)]).toEqual([400, [param]])
    },
  )
})

/** Returns the request with another value of a documented parameter. */
function toRequestWith(
  { name, param, request }: { name: string; param: string; request: WireRequest },
  value: string,
): WireRequest {
  if (operations[name]?.params?.[param]?.in !== 'header')
    return withQuery(request, { [param]: value })
  return { ...request, headers: { ...request.headers, [param]: encodeURIComponent(value) } }
}
