import { afterAll, describe, expect, it } from 'vitest'
import { describeHost } from '../../../core/boms/build-bom.ts'
import { collectBom, MAX_SERVICES } from '../../../core/boms/collect-bom.ts'
import { openTestService } from '../../helpers/service.ts'

const service = await openTestService()
afterAll(() => service.close())

async function fetchBom(path: string, accept?: string) {
  const headers = { 'api-key': service.keys.all, ...(accept === undefined ? {} : { accept }) }
  const response = await service.app.fetch(new Request(`http://localhost/api${path}`, { headers }))
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

const project = '/scanned/sbom?name=Storefront'

describe('a BOM over HTTP', () => {
  it.each(['1.5', '1.6', '1.7'])('is CycloneDX %s as JSON if accepted', async (version) => {
    const { status, type, text } = await fetchBom(
      project,
      `application/vnd.cyclonedx+json; version=${version}`,
    )
    expect([status, type]).toEqual([200, `application/vnd.cyclonedx+json; version=${version}`])
    const { bomFormat, specVersion } = JSON.parse(text)
    expect([bomFormat, specVersion]).toEqual(['CycloneDX', version])
  })

  it('is CycloneDX as XML if the parameters request it, regardless of the header', async () => {
    const { status, type, text } = await fetchBom(
      `${project}&format=cyclonedx-xml&spec_version=1.7`,
      'text/html',
    )
    expect([status, type]).toEqual([200, 'application/vnd.cyclonedx+xml; version=1.7'])
    expect(text.slice(0, 95)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.7" version',
    )
  })

  it("has the specification's format for clients that accept anything", async () => {
    const { type, text } = await fetchBom(project, '*/*')
    expect(type).toBe('application/json')
    expect(Array.isArray(JSON.parse(text))).toBe(true)
  })

  it('is the same document each time', async () => {
    const path = '/scanned/gateway_sbom?network_name=Office&format=cyclonedx-json'
    expect(await fetchBom(path)).toEqual(await fetchBom(path))
  })

  it('contains the review decisions on the endpoints of a network', async () => {
    const own = await openTestService()
    const [scan] = (await own.app.call('listNetworkScans', {}, own.caller)).scan_details
    const id = scan?.instance_id ?? ''
    const { scan_mappings } = await own.app.call(
      'getNetworkScanMappings',
      { instance_id: id },
      own.caller,
    )
    const url = scan_mappings.mappings.find((each) => each.url && each.api_name)?.url ?? ''
    const endpoints = [{ endpoint_url: url, approval: 'no' as const, reason: 'No contract' }]
    await own.app.call('reviewNetworkScan', { body: { instance_id: id, endpoints } }, own.caller)
    const input = { repo_id: scan?.repo_id ?? '', format: 'cyclonedx-json' } as const
    const bytes = await own.app.call('getNetworkBom', input, own.caller)
    const text = new TextDecoder().decode(bytes)
    const { annotations } = JSON.parse(text)
    expect(annotations).toMatchObject([{ text: expect.stringMatching(/^Rejected: No contract\n/) }])
    await own.close()
  })

  it('contains each endpoint of a network once, regardless of its calls', async () => {
    const own = await openTestService()
    const host = 'eu.api.skycast.example'
    const urls = [
      '/stations/1/observations',
      '/stations/2/observations/?from=2026-01-01',
      '/forecast?lat=1',
      '/forecast/?lat=2#x',
    ].map((path) => `https://${host}/v2${path}`)
    const head = {
      network_name: 'Lab',
      project_name: 'Weather',
      start_time: '2026-03-14T07:00:00Z',
      scan_status: 'complete' as const,
    }
    const rows = [...urls, 'https://OTHER.example:443/v1?key=7', 'https://other.example/v1'].map(
      (url) => ({
        captured_ip: '203.0.113.7',
        direction: 'Outgoing' as const,
        capture_datetime: '2026-03-14T07:00:01Z',
        host: new URL(url).hostname,
        method: 'get',
        url,
      }),
    )
    const { repo_id } = await own.app.call('submitNetworkScan', { head, rows }, own.caller)
    const input = { repo_id, format: 'cyclonedx-json' } as const
    const bytes = await own.app.call('getNetworkBom', input, own.caller)
    const { services } = JSON.parse(new TextDecoder().decode(bytes))
    expect(services.map((each: { readonly endpoints: unknown }) => each.endpoints)).toEqual([
      [`https://${host}/v2/stations/%7B%7D/observations`, `https://${host}/v2/forecast`],
      ['https://other.example/v1'],
    ])
    await own.close()
  })

  it('yields to the event loop while being written', async () => {
    const own = await openTestService()
    const rows = Array.from({ length: 4000 }, (_, index) => ({
      endpoint_url: `https://h${index}.example/v1`,
    }))
    await own.app.call('submitProjectScan', { head: { project_name: 'Large' }, rows }, own.caller)
    for (const format of ['specification', 'cyclonedx-json', 'cyclonedx-xml'] as const) {
      let turns = 0
      const timer = setInterval(() => {
        turns += 1
      }, 0)
      await own.app.call('getProjectBom', { name: 'large', format }, own.caller)
      clearInterval(timer)
      expect(turns).toBeGreaterThan(5)
    }
    await own.close()
  })

  it('is rejected as one document of several projects', async () => {
    const own = await openTestService()
    const head = { project_name: 'Storefront', datetime_created: '2026-03-14 07:00' }
    const rows = [{ endpoint_url: 'https://api.pigeon.example/v3/messages' }]
    await own.app.call('submitProjectScan', { head, rows }, own.caller)
    const found = await own.app.call('listScannedProjects', {}, own.caller)
    const ids = [found].flat().map(({ project_id }) => project_id)
    const input = { name: 'storefront', format: 'cyclonedx-json' } as const
    await expect(own.app.call('getProjectBom', input, own.caller)).rejects.toMatchObject({
      code: 'ambiguous_selection',
      message: `Cannot write one CycloneDX document: 2 scans match. Request one by its ID: ${ids.join(', ')}`,
    })
    await own.close()
  })

  it('is rejected as CycloneDX beyond the documented number of services', async () => {
    const services = Array.from({ length: MAX_SERVICES + 1 }, (_, index) => ({
      ...describeHost(`h${index}.example`),
      endpoints: [],
      captures: [],
    }))
    const subject = {
      kind: 'project',
      id: '',
      projectName: '',
      networkName: '',
      createdAt: 0,
    } as const
    const batches = (async function* () {
      yield services
    })()
    const scans = [{ analyzedAt: 0, instance: undefined, services: batches }]
    await expect(
      collectBom({ subject, scans }, { tool: { name: 't', version: '1' } }),
    ).rejects.toMatchObject({ code: 'too_large' })
  })
})
