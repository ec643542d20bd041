import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../../../core/app.ts'
import { makeFolder } from '../../../helpers/folder.ts'
import { openTestService, type TestService } from '../../../helpers/service.ts'

const DESCRIPTION = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Unknown no more', version: '2.0.0' },
  servers: [{ url: 'https://unknown.example' }],
  paths: { '/v1': { get: { responses: { 200: { description: 'OK' } } } } },
})

async function importUnknown({ app }: Pick<TestService, 'app'>): Promise<void> {
  await app.imports.importDescription({
    bytes: new TextEncoder().encode(DESCRIPTION),
    vendorName: 'Discoverer',
    createVendor: true,
    isPublic: true,
  })
}

async function readApis({ app, caller }: Pick<TestService, 'app' | 'caller'>): Promise<unknown> {
  const projects = await app.call('listScannedProjects', {}, caller)
  return [projects].flat().map((project) => ({
    at: project.analyzed_datetime,
    apis: project.scan_details.map(({ api_name, endpoint_id }) => [api_name, endpoint_id]),
  }))
}

const PROJECTS = { filter: { kind: 'project' as const }, after: undefined, limit: 1 }
const REVIEW = {
  by: 'Ada',
  at: 1,
  reviewStatus: 'complete' as const,
  isApproved: undefined,
  rows: [],
}
const FORECAST = ['Skycast Weather', 'qjTj4fG']
const PAYMENTS = ['Ledgerly Payments', 'mZLgCfA']
const UNHEARD = ['Ledgerly Payments', undefined]

describe('stored scans', () => {
  it('are matched again when read after a change of the catalogue', async () => {
    const service = await openTestService()
    const { app, caller, clock } = service
    const unknown = ['', undefined]
    expect(await readApis(service)).toEqual([
      { at: '2026-03-14T08:00:00', apis: [FORECAST, PAYMENTS, UNHEARD, unknown] },
    ])
    clock.advance(60_000)
    await importUnknown(service)
    const found = ['Unknown no more', expect.stringMatching(/^\w{7}$/)]
    const expected = [{ at: '2026-03-14T08:01:00', apis: [FORECAST, PAYMENTS, UNHEARD, found] }]
    expect(await Promise.all([1, 2, 3].map(() => readApis(service)))).toEqual([
      expected,
      expected,
      expected,
    ])
    clock.advance(60_000)
    expect(await readApis(service)).toEqual(expected)
    const byVendor = { vendor: 'discoverer', version: '2.0.0' }
    expect(await app.call('listScannedProjects', byVendor, caller)).toHaveLength(1)
    await app.call('removeApi', { api_id: '3' }, caller)
    expect(await app.call('listScannedProjects', { vendor: 'Skycast' }, caller)).toEqual([])
    expect(await readApis(service)).toEqual([
      { at: '2026-03-14T08:02:00', apis: [unknown, PAYMENTS, UNHEARD, found] },
    ])
    const flows = await app.scans.findNetworks(caller.account, { repositories: 9, instances: 9 })
    expect(flows).toMatchObject([[{ flows: 4, matched: 1, analyzedAt: clock() }]])
    await service.close()
  })

  it('are matched again by whichever process reads them', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('scans.db')
    const one = await openTestService({ openStorage: (clock) => openSqlite({ file, clock }) })
    const storage = await openSqlite({ file, clock: one.clock })
    const app = createApiDiscovery({ storage, clock: one.clock })
    const other = { app, caller: one.caller }
    await readApis(other)
    await importUnknown(one)
    const both = await Promise.all([readApis(one), readApis(other), readApis(one)])
    expect(both).toEqual([both[0], both[0], both[0]])
    expect(both[0]).toMatchObject([{ apis: [FORECAST, PAYMENTS, UNHEARD, { length: 2 }] }])
    await app.close()
    await one.close()
    await folder.remove()
  })

  it('include a review that is stored while their matches are confirmed', async () => {
    let isWatched = false
    const service = await openTestService({
      openStorage: async (clock) => {
        const storage = await openSqlite({ file: ':memory:', clock })
        const { scans } = storage
        const listRows: typeof scans.listRows = async function* (account, request) {
          const [scan] = await scans.list(account, PROJECTS)
          if (isWatched && scan) await scans.review(account, { scan, review: REVIEW })
          isWatched = false
          yield* scans.listRows(account, request)
        }
        return { ...storage, scans: { ...scans, listRows } }
      },
    })
    const { app, caller } = service
    await app.call('listScannedProjects', {}, caller)
    await app.call('createVendor', { body: { name: 'Another', homepage: '' } }, caller)
    isWatched = true
    const [project] = [await app.call('listScannedProjects', {}, caller)].flat()
    expect([isWatched, project?.['review status']]).toEqual([false, 'complete'])
    await service.close()
  })

  it('are unknown if they are removed while being matched', async () => {
    let isWatched = false
    const service = await openTestService({
      openStorage: async (clock) => {
        const storage = await openSqlite({ file: ':memory:', clock })
        const { scans } = storage
        const listRows: typeof scans.listRows = async function* (account, request) {
          const [scan] = await scans.list(account, PROJECTS)
          if (isWatched && scan) await scans.remove(account, scan)
          yield* scans.listRows(account, request)
        }
        return { ...storage, scans: { ...scans, listRows } }
      },
    })
    const { app, caller } = service
    const [project] = [await app.call('listScannedProjects', {}, caller)].flat()
    await importUnknown(service)
    isWatched = true
    const asked = { project_id: project?.project_id ?? '' }
    await expect(app.call('listScannedProjects', asked, caller)).rejects.toMatchObject({
      code: 'not_found',
    })
    await service.close()
  })

  it('contain server locations known from captures and a geolocation database', async () => {
    const places = (address: string) =>
      address === '203.0.113.7'
        ? { city: 'Tallinn', country: 'Estonia', region: '', isp: 'Example Net', timezone: 'UTC' }
        : undefined
    const { app, caller, close } = await openTestService({ app: { geoip: places } })
    const [project] = [await app.call('listScannedProjects', {}, caller)].flat()
    const unavailable = 'unavailable'
    expect(project?.scan_details.map(({ server_info }) => server_info.hostcity)).toEqual([
      'Tallinn',
      unavailable,
      unavailable,
      unavailable,
    ])
    expect(project?.scan_details[0]?.server_info).toEqual({
      server: unavailable,
      hostcity: 'Tallinn',
      hostcountry: 'Estonia',
      hostregion: unavailable,
      hostisp: 'Example Net',
      timezone: 'UTC',
    })
    const [scan] = (await app.call('listNetworkScans', {}, caller)).scan_details
    const asked = { instance_id: scan?.instance_id ?? '' }
    const { scan_mappings } = await app.call('getNetworkScanMappings', asked, caller)
    expect(scan_mappings.mappings.map((each) => each.endpoint_geolocation)).toEqual([
      'Tallinn Estonia [Unavailable]',
      'Unavailable Unavailable [Unavailable]',
      'Unavailable Unavailable [Unavailable]',
      'Tallinn Estonia [Unavailable]',
    ])
    await close()
  })
})
