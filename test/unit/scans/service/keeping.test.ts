import { describe, expect, it } from 'vitest'
import { readStoredPackages } from '../../../../core/scans/stored-rows.ts'
import { FLOWS, NETWORK_HEAD } from '../../../helpers/scan-seed.ts'
import { openTestService } from '../../../helpers/service.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

async function collectBatches<T>(batches: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

describe('storage of scans', () => {
  it('removes scans after the retention period, or never by default', async () => {
    const [kept, dropped] = await Promise.all([
      openTestService(),
      openTestService({ app: { scanRetentionMs: 3 * DAY_MS } }),
    ])
    for (const { app, caller, clock } of [kept, dropped]) {
      clock.advance(2 * DAY_MS)
      const head = { project_name: 'Late', datetime_created: '2020-01-01T00:00:00Z' }
      await app.call('submitProjectScan', { head, rows: [] }, caller)
      clock.advance(2 * DAY_MS)
    }
    const names = async ({ app, caller }: typeof kept) => [
      [await app.call('listScannedProjects', {}, caller)].flat().map((each) => each.project_name),
      (await app.call('listNetworkScans', {}, caller)).scan_details.length,
    ]
    expect(await names(kept)).toEqual([['Storefront', 'Late'], 1])
    expect(await names(dropped)).toEqual([['Late'], 0])
    await Promise.all([kept.close(), dropped.close()])
  })

  it('stores the scanner’s vendor until the catalogue has one', async () => {
    const { app, caller, close } = await openTestService()
    const rows = [
      { endpoint_url: 'https://api.pigeon.example/v3', vendor_name: 'Mine' },
      { endpoint_url: 'https://api.rooks.example', package: 'pkg:npm/rooks', vendor_name: 'Rooks' },
      { endpoint_url: 'https://api.rooks.example/v1' },
      { endpoint_url: 'https://nobody.example', vendor_name: null },
    ]
    const head = { project_name: 'Birds' }
    const { project_id } = await app.call('submitProjectScan', { head, rows }, caller)
    const [project] = [await app.call('listScannedProjects', { project_id }, caller)].flat()
    expect(project?.scan_details.map(({ vendor_name }) => vendor_name)).toEqual([
      'Pigeon',
      'Rooks',
      '',
      '',
    ])
    const bytes = await app.call('getProjectBom', { project_id, format: 'specification' }, caller)
    const { scan_details } = JSON.parse(new TextDecoder().decode(bytes as Uint8Array))
    expect(
      scan_details.services.map((each: { readonly name: string; readonly provider: unknown }) => [
        each.name,
        each.provider,
      ]),
    ).toEqual([
      ['Pigeon Messaging', { name: 'Pigeon', url: ['https://pigeon.example'] }],
      ['api.rooks.example', { name: 'Rooks' }],
      ['nobody.example', { name: 'nobody.example' }],
    ])
    await close()
  })

  it('stores every package of an endpoint, for reads and BOMs; the first one as package', async () => {
    const { app, caller, close } = await openTestService()
    const packages = ['pkg:npm/rooks@1.0.0', 'pkg:gem/rooks', 'pkg:golang/rooks.example/go']
    const rows = [
      { endpoint_url: 'https://a.example', packages },
      { endpoint_url: 'https://b.example', package: 'pkg:npm/rooks@1.0.0', packages },
      { endpoint_url: 'https://c.example', package: 'pkg:gem/rooks', packages: null },
      { endpoint_url: 'https://d.example', package: '', packages: [''] },
    ]
    const head = { project_name: 'Birds' }
    const { project_id } = await app.call('submitProjectScan', { head, rows }, caller)
    const [project] = [await app.call('listScannedProjects', { project_id }, caller)].flat()
    expect(project?.scan_details.map((each) => [each.package, each.packages])).toEqual([
      [packages[0], packages],
      [packages[0], packages],
      ['pkg:gem/rooks', ['pkg:gem/rooks']],
      [undefined, undefined],
    ])
    const bytes = await app.call('getProjectBom', { project_id, format: 'cyclonedx-json' }, caller)
    const { services } = JSON.parse(new TextDecoder().decode(bytes as Uint8Array))
    const named = services.flatMap(
      ({ properties }: { properties: readonly { name: string; value: string }[] }) =>
        properties.flatMap(({ name, value }) =>
          name === 'api-discovery:endpoint:package' ? [value.replace('- https://', '')] : [],
        ),
    )
    expect(named).toEqual([
      ...packages.map((name) => `a.example ${name}`),
      ...packages.map((name) => `b.example ${name}`),
      'c.example pkg:gem/rooks',
    ])
    const { scan } = await app.scans.getCounted(caller.account, { kind: 'project', id: project_id })
    const uses = await app.scans.findUsages(caller.account, { scan, places: [0] })
    expect(uses.map((use) => use.packages)).toEqual([packages])
    await close()
  })

  it('stores the other environments of an endpoint, as endpoints of one service in BOMs', async () => {
    const { app, caller, close } = await openTestService()
    const alternatives = ['https://live.rooks.example', 'https://old.rooks.example']
    const rows = [
      { endpoint_url: 'https://test.rooks.example', package: 'pkg:npm/rooks', alternatives },
      { endpoint_url: 'https://z.example', alternatives: [] },
    ]
    const head = { project_name: 'Nests' }
    const { project_id } = await app.call('submitProjectScan', { head, rows }, caller)
    const [project] = [await app.call('listScannedProjects', { project_id }, caller)].flat()
    expect(project?.scan_details.map((each) => each.alternatives)).toEqual([
      alternatives,
      undefined,
    ])
    const bytes = await app.call('getProjectBom', { project_id, format: 'cyclonedx-json' }, caller)
    const { services } = JSON.parse(new TextDecoder().decode(bytes as Uint8Array))
    expect(
      services.map(({ name, endpoints }: { name: string; endpoints: readonly string[] }) => [
        name,
        endpoints,
      ]),
    ).toEqual([
      ['test.rooks.example', ['https://test.rooks.example', ...alternatives]],
      ['z.example', ['https://z.example']],
    ])
    const { scan } = await app.scans.getCounted(caller.account, { kind: 'project', id: project_id })
    const [use] = await app.scans.findUsages(caller.account, { scan, places: [0] })
    expect(use?.alternatives).toEqual(alternatives)
    await close()
  })

  it('returns the console page of a scan if the host has a console', async () => {
    const urls = async (app: { readonly publicUrl?: string; readonly consolePath?: string }) => {
      const { app: own, caller, close } = await openTestService({ app })
      const head = { project_name: 'Birds' }
      const project = await own.call('submitProjectScan', { head, rows: [] }, caller)
      const sent = { head: { ...NETWORK_HEAD, network_name: 'Nest' }, rows: FLOWS }
      const network = await own.call('submitNetworkScan', sent, caller)
      await close()
      return [project.console_url, network.console_url].map((url) => url?.replace(/_\w{22}$/, ''))
    }
    expect(await urls({})).toEqual([undefined, undefined])
    expect(await urls({ consolePath: '/console' })).toEqual([
      '/console/scans/projects/prj',
      '/console/scans/networks/net',
    ])
    const publicUrl = 'https://tools.example/discovery'
    expect(await urls({ publicUrl, consolePath: '/console' })).toEqual([
      'https://tools.example/discovery/console/scans/projects/prj',
      'https://tools.example/discovery/console/scans/networks/net',
    ])
  })

  it('reads rows stored with a single package', () => {
    expect(readStoredPackages({ package: 'pkg:gem/rooks' })).toEqual(['pkg:gem/rooks'])
    expect([readStoredPackages({ package: '' }), readStoredPackages({})]).toEqual([[], []])
  })

  it('drops an upload after an hour without progress, and removes its rows', async () => {
    const service = await openTestService()
    const { app, caller, clock, storage } = service
    const scan = {
      kind: 'project' as const,
      id: 'lost',
      group: 'lost',
      projectName: 'Lost',
      networkName: '',
      startedAt: 1,
      endedAt: undefined,
      status: 'complete' as const,
      detail: '{}',
    }
    const upload = await storage.scans.beginUpload(caller.account, { scan, at: clock() })
    if (!upload) return
    const row = { subject: 'https://a.example', method: '', detail: '{}', match: undefined }
    const save = (first: number) =>
      storage.scans.saveRows(caller.account, { upload, first, at: clock(), rows: [row] })
    await save(0)
    clock.advance(HOUR_MS)
    await app.call('listScannedProjects', {}, caller)
    await save(1)
    clock.advance(HOUR_MS + 1)
    await app.call('listScannedProjects', {}, caller)
    await expect(save(2)).rejects.toMatchObject({ code: 'conflict' })
    await service.close()
  })

  it('records the reviewer, and applies decisions to the next scan of the name', async () => {
    const service = await openTestService()
    const { app, clock, keys } = service
    const ask = async (method: string, path: string, body?: object) => {
      const request = new Request(`http://service.test/api${path}`, {
        method,
        headers: { 'api-key': keys.all },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return (await app.fetch(request)).json()
    }
    const [first] = await ask('GET', '/scanned/projects')
    clock.advance(HOUR_MS)
    const reviewed = await ask('PUT', '/scanned/review', {
      project_id: first.project_id,
      endpoints: [{ endpoint_url: 'https://unknown.example/v1', approval: 'no', reason: 'Who?' }],
    })
    expect(reviewed).toMatchObject({ by: 'test', at: '2026-03-14T09:00:00+00:00' })
    const { project_id: id } = await ask('POST', '/scanned/projects', {
      project_name: 'STOREFRONT ',
      scan_details: [
        { endpoint_url: 'https://unknown.example/v1' },
        { endpoint_url: 'https://eu.api.skycast.example/v2/forecast', endpoint_method: 'post' },
        { endpoint_url: 'https://eu.api.skycast.example/v2/forecast', endpoint_method: 'get' },
      ],
    })
    const next = await ask('GET', `/scanned/projects?project_id=${id}`)
    expect(
      next.scan_details.map((each: Record<string, unknown>) => [
        each.approval,
        each.reason,
        each.reviewed_by,
        each.reviewed_at,
      ]),
    ).toEqual([
      ['no', 'Who?', 'test', '2026-03-14T09:00:00+00:00'],
      ['unreviewed', undefined, undefined, undefined],
      ['yes', 'Signed.', 'Account A', '2026-03-14T08:00:00+00:00'],
    ])
    expect(next['review status']).toBe('in_progress')
    await service.close()
  })

  it('applies a review of a host, or its address as a URL, to all its flows', async () => {
    const { app, caller, close } = await openTestService()
    const call = {
      captured_ip: '203.0.113.9',
      direction: 'Outgoing',
      capture_datetime: '2026-03-13T09:00:04Z',
    } as const
    const rows = [
      { ...call, host: 'API.rooks.example' },
      { ...call, host: 'api.rooks.example', method: 'GET', url: 'http://api.rooks.example/a' },
      { ...call, host: 'api.rooks.example', method: 'POST', url: 'http://api.rooks.example/b' },
      { ...call, method: 'GET', url: 'http://user.pigeon.example:8080/c' },
      { ...call },
    ]
    const { instance_id } = await app.call(
      'submitNetworkScan',
      { head: NETWORK_HEAD, rows },
      caller,
    )
    const review = (endpoint_url: string, approval: 'yes' | 'no') =>
      app.call(
        'reviewNetworkScan',
        { body: { instance_id, endpoints: [{ endpoint_url, approval }] } },
        caller,
      )
    const approvals = async () => {
      const { scan_mappings } = await app.call('getNetworkScanMappings', { instance_id }, caller)
      return scan_mappings.mappings.map(({ approval }) => approval)
    }
    await review('https://api.rooks.example', 'no')
    expect(await approvals()).toEqual(['no', 'no', 'no', 'unreviewed', 'unreviewed'])
    await review('http://api.rooks.example/a', 'yes')
    await review('https://user.pigeon.example:8080/', 'yes')
    await review('203.0.113.9', 'yes')
    expect(await approvals()).toEqual(['no', 'yes', 'no', 'yes', 'yes'])
    await expect(review('https://pigeon.example', 'no')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Cannot store the review: "https://pigeon.example" is not in the scan',
    })
    await close()
  })

  it('approves all endpoints of a host in a project, except under an exact URL', async () => {
    const { app, caller, close } = await openTestService()
    const urls = [
      'https://api.rooks.example/a',
      'http://API.rooks.example/b?x=1',
      'https://api.rooks.example:8443/c',
      'https://pigeon.example',
      'https://pigeon.example/d',
      'ravens.example',
      'ravens.example/e',
    ]
    const details = urls.map((endpoint_url) => ({ endpoint_url, endpoint_method: 'get' }))
    const { project_id } = await app.call(
      'submitProjectScan',
      { head: { project_name: 'Hosts' }, rows: details },
      caller,
    )
    const review = (endpoint: { endpoint_url: string; endpoint_method?: string }) =>
      app.call(
        'reviewProjectScan',
        { body: { project_id, endpoints: [{ ...endpoint, approval: 'yes' }] } },
        caller,
      )
    const listApproved = async () => {
      const [found] = [await app.call('listScannedProjects', { project_id }, caller)].flat()
      const approved = (found?.scan_details ?? []).filter(({ approval }) => approval === 'yes')
      return approved.map(({ endpoint_url }) => endpoint_url)
    }
    await review({ endpoint_url: 'https://pigeon.example' })
    expect(await listApproved()).toEqual(['https://pigeon.example'])
    await review({ endpoint_url: 'api.rooks.example' })
    expect(await listApproved()).toEqual([urls[0], urls[1], urls[3]])
    // A host also stands for the endpoint that is only its name.
    await review({ endpoint_url: 'ravens.example' })
    expect((await listApproved()).slice(3)).toEqual(['ravens.example', 'ravens.example/e'])
    for (const endpoint of [
      { endpoint_url: 'rooks.example' },
      { endpoint_url: 'pigeon.example', endpoint_method: 'get' },
    ]) {
      await expect(review(endpoint)).rejects.toMatchObject({
        code: 'invalid_input',
        message: `Cannot store the review: "${endpoint.endpoint_url}" is not in the scan`,
      })
    }
    await close()
  })

  it('lists networks by repository, newest first, and rows by API', async () => {
    const service = await openTestService()
    const { app, caller } = service
    const { account } = caller
    for (const [network_name, start_time] of [
      ['Lab', '2026-03-13T01:00:00Z'],
      ['Office', '2026-03-13T02:00:00Z'],
      ['Lab', '2026-03-14T03:00:00Z'],
    ] as const) {
      const head = { ...NETWORK_HEAD, network_name, start_time }
      await app.call('submitNetworkScan', { head, rows: FLOWS }, caller)
    }
    const find = async (filter: Parameters<typeof app.scans.findNetworks>[1]) =>
      (await app.scans.findNetworks(account, filter)).map((scans) =>
        scans.map(({ networkName, flows }) => `${networkName} ${flows}`),
      )
    const all = { repositories: 10, instances: 10 }
    expect(await find(all)).toEqual([
      ['Lab 3', 'Lab 3'],
      ['Office 4', 'Office 3'],
    ])
    expect(await find({ ...all, instances: 1 })).toEqual([['Lab 3'], ['Office 4']])
    expect(await find({ ...all, repositories: 1 })).toEqual([['Lab 3', 'Lab 3']])
    expect(await find({ ...all, networkName: 'OFFICE', projectName: 'storefront' })).toEqual([
      ['Office 4', 'Office 3'],
    ])
    expect(await find({ ...all, projectName: 'other' })).toEqual([])
    expect(await find({ ...all, repoId: 'other' })).toEqual([])
    const [[scan] = []] = await app.scans.findNetworks(account, all)
    const instanceId = scan?.instanceId ?? ''
    const flows = await collectBatches(app.scans.listFlows(account, { instanceId, order: 'api' }))
    expect(flows.map(({ position, match }) => [position, match?.apiId])).toEqual([
      [0, 3],
      [1, 4],
      [2, undefined],
    ])
    const [project] = await app.scans.findProjects(account, { limit: 1 })
    const projectId = project?.id ?? ''
    const found = await collectBatches(
      app.scans.listEndpoints(account, { projectId, order: 'api' }),
    )
    expect(found.map(({ position, match }) => [position, match?.apiId])).toEqual([
      [1, 1],
      [2, 1],
      [0, 3],
      [3, undefined],
    ])
    const unknown = app.scans.listEndpoints(account, { projectId: 'x', order: 'scan' })
    await expect(collectBatches(unknown)).rejects.toMatchObject({ code: 'not_found' })
    await service.close()
  })
})
