import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../adapters/storage/sqlite.ts'
import { ENDPOINTS, PROJECT_HEAD } from '../../../helpers/scan-seed.ts'
import { openTestService } from '../../../helpers/service.ts'

/** Numbers of store calls by method name. */
const calls = new Map<string, number>()
const service = await openTestService({
  async openStorage(clock) {
    const storage = await openSqlite({ file: ':memory:', clock })
    const { catalogue, gateway, scans } = storage
    return {
      ...storage,
      catalogue: countCalls(catalogue),
      gateway: countCalls(gateway),
      scans: countCalls(scans),
    }
  },
})
afterAll(() => service.close())

const name = PROJECT_HEAD.project_name
for (const hour of [10, 11, 12, 13]) {
  const head = { ...PROJECT_HEAD, datetime_created: `2026-03-13 ${hour}:30` }
  await service.app.call('submitProjectScan', { head, rows: ENDPOINTS }, service.caller)
}

describe('several scanned projects that use the same APIs', () => {
  it('are listed with one read of each API and endpoint, with the same result as singly', async () => {
    const one = await fetchCounted(`/api/scanned/projects?name=${name}&num_projects=1`)
    const all = await fetchCounted(`/api/scanned/projects?name=${name}&num_projects=5`)
    expect(all.body).toHaveLength(5)
    for (const method of [
      'findApis',
      'findEndpointSummaries',
      'listAgreementsOf',
      'findPublishedHeaders',
    ]) {
      expect([method, one.count(method), all.count(method)]).toEqual([method, 1, 1])
    }
    for (const method of ['find', 'findEndpoint', 'listAgreements', 'findPublishedAnswer']) {
      expect([method, all.count(method)]).toEqual([method, 0])
    }
    for (const project of all.body) {
      const alone = await fetchCounted(`/api/scanned/projects?project_id=${project.project_id}`)
      expect(project).toEqual(alone.body)
    }
  })

  it('have BOMs with one read of the agreements, with the same result as singly', async () => {
    const one = await fetchCounted(`/api/scanned/sbom?name=${name}&num_projects=1`)
    const all = await fetchCounted(`/api/scanned/sbom?name=${name}&num_projects=5`)
    expect(all.body).toHaveLength(5)
    for (const method of ['findApis', 'listAgreementsOf']) {
      expect([method, one.count(method), all.count(method)]).toEqual([method, 1, 1])
    }
    expect(all.count('listVendorAgreements')).toBe(one.count('listVendorAgreements'))
    for (const bom of all.body) {
      const alone = await fetchCounted(`/api/scanned/sbom?project_id=${bom.project_id}`)
      expect(bom).toEqual(alone.body)
    }
  })

  it('are written once for all waiting requests if all matches are unchanged', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(DESCRIPTION))
    const described = { bytes, vendorName: 'New', createVendor: true, isPublic: true }
    await service.app.imports.importDescription(described)
    const target = '/api/scanned/projects?vendor=nobody'
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => fetchCounted(target)))
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => []))
    expect(calls.get('confirmMatching')).toBe(5)
    expect(calls.get('beginMatching')).toBeUndefined()
    expect(calls.get('find')).toBeUndefined()
  })
})

const REQUESTS = 6
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'New', version: '1.0.0' },
  servers: [{ url: 'https://new.example' }],
  paths: { '/v1': { get: { responses: { 200: { description: 'OK' } } } } },
}

async function fetchCounted(target: string) {
  calls.clear()
  const headers = { 'api-key': service.keys.readOnly }
  const response = await service.app.fetch(new Request(`http://service.test${target}`, { headers }))
  expect(response.status).toBe(200)
  const body = await response.json()
  const counted = new Map(calls)
  return { body, count: (method: string) => counted.get(method) ?? 0 }
}

function countCalls<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, method, receiver) {
      const found: unknown = Reflect.get(target, method, receiver)
      if (typeof found !== 'function') return found
      return (...parameters: readonly unknown[]) => {
        calls.set(String(method), (calls.get(String(method)) ?? 0) + 1)
        return Reflect.apply(found, target, [...parameters])
      }
    },
  })
}
