import { afterAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { findProblemIssue } from '../contract/output-check.ts'
import { type Built, VALID_REQUESTS, withQuery } from '../contract/valid-requests.ts'
import { askInProcess, type WireAnswer, type WireRequest } from '../contract/ways.ts'
import { ADMITTED, OTHER, REFUSED } from '../helpers/key-cells.ts'
import { TESTED } from '../helpers/rate-limit-seed.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const operations: Readonly<Record<string, Operation>> = contract
const service = await openTestService()
const counts = { cells: 0 }

/**
 * Operations on data of the account. For another account, they respond as for an unknown ID, list
 * nothing (contract 1), or return another secret.
 */
const OWNED: Partial<Readonly<Record<Built, 404 | 'empty' | 'own secret'>>> = {
  listCredentials: 'empty',
  removeCredential: 404,
  listCalls: 'empty',
  putPolicy: 404,
  listPolicies: 'empty',
  removePolicy: 404,
  listRecordings: 'empty',
  getRecording: 404,
  removeRecording: 404,
  publishRecording: 404,
  listNetworkScans: 'empty',
  removeNetworkScan: 404,
  reviewNetworkScan: 404,
  getNetworkScanMappings: 404,
  listScannedProjects: 'empty',
  listScannedPackages: 404,
  listApiUsages: 'empty',
  removeProjectScan: 404,
  reviewProjectScan: 404,
  getProjectBom: 404,
  getNetworkBom: 'empty',
  getRateLimitResult: 404,
  getRateLimitPlot: 404,
  listRateLimitTests: 'empty',
  stopRateLimitTest: 404,
  getRateLimitConsent: 'own secret',
}

/** IDs of keys, credentials, recordings and scans, which belong to an account. */
const ACCOUNT_IDS = /(key|crd|rec|prj|net)_\w{10,}/g

/** Returns the request with IDs that do not exist. */
function toUnknown(request: WireRequest): WireRequest {
  const forget = (text: string) =>
    text
      .replaceAll(ACCOUNT_IDS, '$1_nobody')
      .replace(/run=\d+/, 'run=99')
      .replace(TESTED, 'aaaaaaa')
  const { target, body } = request
  return { ...request, target: forget(target), ...(body ? { body: forget(body) } : {}) }
}

function askCounted(
  to: TestService,
  request: WireRequest,
  headers: Readonly<Record<string, string>>,
): Promise<WireAnswer> {
  counts.cells += 1
  const all = { 'x-request-id': 'cell', ...request.headers, ...headers }
  return askInProcess(to).ask({ ...request, headers: all })
}

/** Returns the request of a built operation, or only method and path for a planned one. */
function toValidRequest(name: string, operation: Operation): WireRequest {
  const known = VALID_REQUESTS[name as Built] as WireRequest | undefined
  if (known) return known
  return { method: operation.method, target: `/api${operation.paths[0]}` }
}

describe('access to operations', () => {
  afterAll(async () => {
    console.log(`isolation: ${counts.cells} cells of ${Object.keys(operations).length} operations`)
    await service.close()
  })

  for (const [name, operation] of Object.entries(operations)) {
    const { scope } = operation
    const request = toValidRequest(name, operation)
    if (scope === 'public') {
      it(`${name} responds the same to all callers`, async () => {
        const expected = await askCounted(service, request, {})
        expect(expected.status).toBe(200)
        for (const toHeaders of [...Object.values(REFUSED), ...Object.values(ADMITTED)]) {
          const headers = toHeaders(service.keys, 'read')
          expect(await askCounted(service, request, headers)).toEqual(expected)
        }
      })
      continue
    }

    it(`${name} rejects all unknown keys with the same response`, async () => {
      const expected = await askCounted(service, request, {})
      expect([expected.status, expected.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(findProblemIssue(operation, expected)).toBeUndefined()
      for (const [what, toHeaders] of Object.entries(REFUSED)) {
        expect([what, await askCounted(service, request, toHeaders(service.keys))]).toEqual([
          what,
          expected,
        ])
      }
    })

    it(`${name} rejects a key with all scopes but ${scope}`, async () => {
      const answer = await askCounted(service, request, { 'api-key': service.keys.without[scope] })
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'forbidden'])
      expect(findProblemIssue(operation, answer)).toBeUndefined()
    })

    it(`${name} accepts all keys with the scope ${scope}`, async () => {
      const isWrite = operation.method !== 'GET' && !operation.isPlanned
      const answers: WireAnswer[] = []
      for (const [who, toHeaders] of Object.entries(ADMITTED)) {
        if (OWNED[name as Built] && who === OTHER) continue
        const own = isWrite || name === 'getMetrics' ? await openTestService() : service
        answers.push(await askCounted(own, request, toHeaders(own.keys, scope)))
        if (own !== service) await own.close()
      }
      const [first] = answers
      expect(operation.isPlanned ? 501 : operation.output.kind === 'empty' ? 204 : 200).toBe(
        first?.status,
      )
      // Runs are numbered per account.
      const toAlike = ({ body, ...rest }: WireAnswer) => {
        const isStart = name === 'startRateLimitTest'
        return { ...rest, body: isStart ? body.replaceAll(/(run |"info":)\d+/g, '$1…') : body }
      }
      for (const answer of answers) expect(toAlike(answer)).toEqual(first && toAlike(first))
    })
  }

  it.each(Object.entries(OWNED))('%s is limited to the own account', async (name, expected) => {
    const owned = await openTestService()
    const { request, operation } = {
      request: VALID_REQUESTS[name as Built],
      operation: operations[name] as Operation,
    }
    const own = { 'api-key': owned.keys.all }
    const other = { 'api-key': owned.keys.other }
    const denied = await askCounted(owned, request, other)
    if (expected === 404) {
      expect(denied.status).toBe(404)
      // A message may repeat the input.
      const toAlike = (answer: WireAnswer) => ({
        ...answer,
        body: answer.body
          .replaceAll(ACCOUNT_IDS, '$1_nobody')
          .replace(TESTED, 'aaaaaaa')
          .replace(/run \d+/, 'run 99'),
      })
      expect(toAlike(denied)).toEqual(await askCounted(owned, toUnknown(request), own))
      expect(toAlike(denied)).toEqual(await askCounted(owned, toUnknown(request), other))
    } else if (expected === 'own secret') {
      const { token, token_url: url } = JSON.parse(denied.body)
      const { body } = await askCounted(owned, request, own)
      expect([body.includes(token), body.includes(url)]).toEqual([false, false])
    } else {
      const answered: unknown = JSON.parse(denied.body)
      const lists = [answered, ...Object.values(answered as object)].filter(Array.isArray)
      expect(lists).not.toEqual([])
      expect(lists.flat()).toEqual([])
    }
    // The owner can still read it.
    const kept = await askCounted(owned, request, own)
    expect(kept.status).toBe(operation.output.kind === 'empty' ? 204 : 200)
    expect(kept.body).not.toBe(denied.body)
    await owned.close()
  })

  it('Rejected requests change nothing', async () => {
    const untouched = await openTestService()
    const reads = [
      ...['/api/endpoint_list', '/api/search/vendor', '/api/endpoint_search'],
      ...['credentials', 'policies', 'history', 'recordings'].map((each) => `/api/gateway/${each}`),
      ...['/api/networks/user_scans/', '/api/scanned/projects', '/api/benchmark/runs'],
    ]
    for (const target of reads) {
      const own = await askCounted(service, { target }, { 'api-key': service.keys.all })
      const fresh = await askCounted(untouched, { target }, { 'api-key': untouched.keys.all })
      expect(own).toEqual(fresh)
    }
    await untouched.close()
  })
})

describe('foreign, unknown and malformed IDs', () => {
  const IDS = ['1', 'W5VXva5MQp3HQNYuTD', 'qjTj4fG', '0', '-1', '999999', 'AAAAAAA', "1' OR '1'='1"]
  const cases = Object.entries(VALID_REQUESTS).flatMap(([name, request]) =>
    Object.keys(operations[name]?.params ?? {})
      .filter((param) => param.endsWith('_id') && operations[name]?.method === 'GET')
      // Each account gets its own token, and the usages of an API in its own scans.
      .filter(() => !['getRateLimitConsent', 'listApiUsages'].includes(name))
      .map((param) => [name, param, request] as const),
  )

  it.each(cases)('%s responds to %s the same for both accounts', async (_, param, request) => {
    const own = await openTestService()
    for (const id of IDS) {
      const asked = withQuery({ target: request.target.split('?')[0] ?? '' }, { [param]: id })
      const answer = await askCounted(own, asked, { 'api-key': own.keys.all })
      expect(param === 'cve_id' ? [400] : [200, 404]).toContain(answer.status)
      expect(await askCounted(own, asked, { 'api-key': own.keys.other })).toEqual(answer)
    }
    await own.close()
  })
})
