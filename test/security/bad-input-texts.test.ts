import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { findOutputIssue } from '../contract/output-check.ts'
import { type Built, VALID_REQUESTS, withQuery } from '../contract/valid-requests.ts'
import { askInProcess, type WireAnswer, type WireRequest } from '../contract/ways.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { isFull, someOf } from '../helpers/runs.ts'
import { openTestService, type TestService, type TestServiceOptions } from '../helpers/service.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'

const texts = readNaughtyStrings()
const operations: Readonly<Record<string, Operation>> = contract

/** All text parameters of the built read operations and of the upload. */
const TEXT_PARAMS = Object.entries(VALID_REQUESTS).flatMap(([name, request]) =>
  Object.entries(operations[name as Built]?.params ?? {})
    .filter(([, { document }]) => document.type === 'string' && name !== 'removeApi')
    .map(([param, { in: placement }]) => [name, param, placement, request] as const),
)

function withParam(
  [, param, placement, request]: (typeof TEXT_PARAMS)[number],
  text: string,
): WireRequest {
  if (placement !== 'header') return withQuery(request, { [param]: text })
  const headers: Readonly<Record<string, string>> = { [param]: encodeURIComponent(text) }
  return { ...request, headers: { ...('headers' in request ? request.headers : {}), ...headers } }
}

function askWithKey(service: TestService, request: WireRequest): Promise<WireAnswer> {
  const headers = { 'api-key': service.keys.all, ...request.headers }
  return askInProcess(service).ask({ ...request, headers })
}

/** Sends all texts in each parameter and in each field of a new vendor. */
function describeTexts(
  storage: string,
  open: (options: TestServiceOptions) => Promise<{
    readonly service: TestService
    readonly close: () => Promise<void>
  }>,
): void {
  it(`Hostile texts in every text parameter over ${storage} are answered or rejected by name`, async () => {
    const { service, close } = await open({})
    let count = 0
    const faults: unknown[] = []
    for (const [index, param] of TEXT_PARAMS.entries()) {
      const operation = operations[param[0]] as Operation
      // Each parameter gets another part of the texts.
      for (const text of someOf(someOf(texts, index), Math.floor(index / 5))) {
        const answer = await askWithKey(service, withParam(param, text))
        count += 1
        // A running test conflicts with a test with other values.
        if (param[0] === 'startRateLimitTest') await service.app.jobs.cancelAll('rate-limit-test')
        const seen = [param[0], param[1], text, answer.status]
        const issue = findOutputIssue(operation, answer)
        if (issue !== undefined) faults.push([...seen, issue])
        if (![200, 204, 400, 404].includes(answer.status)) faults.push(seen)
        // If one of two parameters is required, the error names the first one.
        if (answer.status !== 400 || text === '') continue
        const { errors, parameters } = JSON.parse(answer.body)
        // A number may be the ID of an endpoint with other parameters, or of an unsafe one.
        const isOfEndpoint = parameters !== undefined || errors[0]?.name === 'confirm_unsafe'
        if (isOfEndpoint && param[1] === 'endpoint_id') continue
        if (errors.length !== 1 || errors[0].name !== param[1]) faults.push([...seen, errors])
      }
    }
    expect(faults).toEqual([])
    console.log(`naughty strings over ${storage}: ${count} requests`)
    await close()
  }, 600_000)

  it(`Hostile texts in vendors over ${storage} are returned unchanged or rejected`, async () => {
    const { service, close } = await open({ isEmpty: true })
    const expected = new Map<string, string>()
    for (const text of texts) {
      const body = JSON.stringify({ name: text, description: text })
      const answer = await askWithKey(service, { ...VALID_REQUESTS.createVendor, body })
      expect([text, [200, 400, 409].includes(answer.status)]).toEqual([text, true])
      const document = JSON.parse(answer.body)
      if (answer.status !== 200) {
        expect([text, findOutputIssue(contract.createVendor, answer)]).toEqual([text, undefined])
        continue
      }
      expect([document.name, document.description]).toEqual([text.trim(), text])
      expected.set(document.name, text)
    }
    const stored = new Map<string, string>()
    for (let page = 1; ; page += 1) {
      const answer = await askWithKey(service, {
        target: `/api/search/vendor?size=100&page=${page}`,
      })
      const { vendors, num_pages: pages } = JSON.parse(answer.body)
      for (const vendor of vendors) stored.set(vendor.name, vendor.description)
      if (page >= pages) break
    }
    expect([...stored].sort()).toEqual([...expected].sort())
    expect(stored.size).toBeGreaterThan(texts.length / 2)
    await close()
  }, 600_000)
}

describe.skipIf(texts.length === 0)('naughty strings', () => {
  describeTexts('SQLite', async (options) => {
    const service = await openTestService(options)
    return { service, close: service.close }
  })

  if (!isFull) return
  describeTexts('PostgreSQL', async (options) => {
    const postgres = await startPostgres()
    const url = await postgres.createDatabase()
    const service = await openTestService({
      ...options,
      openStorage: (clock) => openPostgres({ url, clock }),
    })
    return {
      service,
      async close() {
        await service.close()
        await postgres.stop()
      },
    }
  })
})
