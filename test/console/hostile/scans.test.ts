import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectAll,
  type HostileConsole,
  openHostileConsole,
} from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts, toLines } from '../../helpers/hostile-texts.ts'

const TEXTS = listHostileTexts(3)
const NAMES = toLines(TEXTS, 150)

describe('hostile text of a scan is escaped', () => {
  /** Geolocation text of each captured address. */
  const places = new Map<string, string>()
  let shown: HostileConsole
  beforeAll(async () => {
    shown = await openHostileConsole({
      geoip(address) {
        const text = places.get(address) ?? ''
        return { city: text, country: text, region: text, isp: text, timezone: text }
      },
    })
  })
  afterAll(() => shown.close())

  /** Lists the pages of a list. */
  function pagesOf(path: string, count: number): readonly string[] {
    const last = Math.ceil(count / 25)
    return Array.from({ length: last }, (_, index) => `${path}?page=${index + 1}`)
  }

  test('in names of projects: in lists, on each page of a scan, and on the overview', async () => {
    const ids: string[] = []
    // Without a suffix, names that are equal after folding would share a project.
    const names = NAMES.map((name, index) => `${name} ${index}`)
    for (const project_name of names) {
      const rows = [{ endpoint_url: 'https://api.example/v1' }]
      const sent = { head: { project_name }, rows }
      ids.push((await shown.app.call('submitProjectScan', sent, shown.caller)).project_id)
    }
    expectAll(await shown.read(pagesOf('/console/scans', names.length)), names)
    expectAll(await shown.read(['/console/']), names.slice(-1))
    for (const end of ['', '/endpoints', '/history', '/compare', '/remove']) {
      const paths = ids.slice(0, 20).map((id) => `/console/scans/projects/${id}${end}`)
      expectAll(await shown.read(paths), names.slice(0, 20))
    }
  })

  test('in URLs, files, packages and vendors, and in review decisions', async () => {
    const files = toLines(TEXTS, 900)
    const rows = files.map((file, index) => ({
      endpoint_url: `https://api.example/${index}/${encodeURI(file)}`,
      endpoint_method: 'get',
      found_in: [{ file, line: 1 }],
      package: NAMES[index % NAMES.length] ?? '',
      vendor_name: NAMES[index % NAMES.length] ?? '',
    }))
    const head = { project_name: NAMES[0] ?? '' }
    const { project_id } = await shown.app.call('submitProjectScan', { head, rows }, shown.caller)
    const path = `/console/scans/projects/${project_id}`
    const reviewed = rows.slice(0, NAMES.length)
    for (const part of inParts([...reviewed.entries()], 400)) {
      const endpoints = part.map(([index, { endpoint_url, endpoint_method }]) => ({
        endpoint_url,
        endpoint_method,
        approval: APPROVALS[index % 2] ?? 'no',
        reason: NAMES[index] ?? '',
      }))
      await shown.app.call('reviewProjectScan', { body: { project_id, endpoints } }, shown.caller)
    }
    const words = await shown.read(pagesOf(`${path}/endpoints`, 2 * rows.length))
    expectAll(words, [...files, ...NAMES])
    await shown.root.get(path)
    const refused = await shown.root.send(`${path}/review`, { reason: files, approval: 'yes' })
    expect(refused.status).toBe(400)
  })

  test('in names of networks, hosts, and locations', async () => {
    const hosts = NAMES.slice(0, 250)
    const flows = hosts.map((host, index) => {
      const captured_ip = `203.0.113.${index}`
      places.set(captured_ip, host)
      const port = 443
      const direction = 'Outgoing' as const
      return { captured_ip, port, host, direction, capture_datetime: '2026-03-13T09:00:01Z' }
    })
    for (const [index, text] of hosts.slice(0, 40).entries()) {
      const head = {
        network_name: `${text} ${index}`,
        project_name: text,
        organization: text,
        nic_name: text,
        mac_address: text,
        start_time: '2026-03-13T09:00:00Z',
        scan_status: 'running' as const,
      }
      const rows = index === 0 ? flows : flows.slice(index, index + 1)
      const sent = await shown.app.call('submitNetworkScan', { head, rows }, shown.caller)
      const path = `/console/scans/networks/${sent.instance_id}`
      const paths = ['', '/places', '/history', '/remove', '/endpoints'].map((end) => path + end)
      expectAll(await shown.read(paths), [head.network_name, `(${text})`])
      if (index > 0) continue
      const words = await shown.read([
        ...pagesOf(`${path}/endpoints`, 2 * hosts.length),
        ...pagesOf(path, 2 * hosts.length),
        `${path}/places`,
      ])
      // Hosts are folded to lower case. Each host has the location of its last address.
      const small = hosts.map((host) => host.toLowerCase())
      expectAll(words, small)
      expectAll(words, hosts.slice(0, 30))
    }
  })
})

const APPROVALS = ['yes', 'no'] as const
