import type { ApiDiscovery, Caller } from '../../core/index.ts'
import { createNumberGenerator } from '../helpers/random.ts'
import type { FilledApi } from './pages-catalogue.ts'

/** A scan and its predecessor of the same project or network. */
interface FilledScan {
  readonly id: string
  readonly before: string
}

/** Sizes of the scans; `groups` is the number of additional small ones. */
export interface ScanSizes {
  readonly groups: number
  readonly project: number
  readonly largeProject: number
  readonly network: number
}

export interface FilledScans {
  readonly small: FilledScan
  readonly project: FilledScan
  readonly largeProject: FilledScan
  readonly network: FilledScan
}

/** Adds projects and networks with at least two scans each to the caller's account. */
export async function fillScans(
  app: ApiDiscovery,
  given: {
    readonly caller: Caller
    readonly apis: readonly FilledApi[]
    readonly sizes: ScanSizes
  },
): Promise<FilledScans> {
  const { caller, sizes } = given
  const urls = createUrls(given.apis)
  const project = (name: string, uses: number, left = 20) =>
    fillProject(app, { caller, name, uses, left, urls })
  const network = (name: string, flows: number) => fillNetwork(app, { caller, name, flows, urls })
  // Small scans are newer than the large ones, so the overview has to search for those.
  const large = {
    largeProject: await project('Monorepo', sizes.largeProject, 100),
    project: await project('Storefront', sizes.project),
    network: await network('Headquarters', sizes.network),
  }
  let small: FilledScan | undefined
  for (let index = 0; index < sizes.groups; index += 1) {
    if (index % 4 === 3) await network(`Office ${index}`, 200)
    else small = await project(`Service ${index}`, 20 + ((index * 37) % 300))
  }
  if (!small) throw new Error('There are no small projects')
  return { ...large, small }
}

type Urls = (index: number) => {
  readonly url: string
  readonly method: string
  readonly host: string
}

/**
 * Generates usages: most of catalogued APIs, most of those matching an endpoint, others unknown.
 */
function createUrls(apis: readonly FilledApi[]): Urls {
  return (index) => {
    if (index % 7 === 6) {
      const host = `service${index % 900}.unknown.example`
      return { url: `https://${host}/v1/items/${index}`, method: 'get', host }
    }
    const api = apis[(index * 31) % apis.length]
    if (!api) throw new Error('There are no APIs')
    const endpoint = api.endpoints[Math.floor(index / apis.length) % api.endpoints.length]
    const [method, path] = index % 5 < 4 && endpoint ? endpoint : ['get', `/v0/other${index}`]
    const called = path.replaceAll(/\{[^}]*\}/g, String(index))
    return { url: `https://${api.host}${called}`, method, host: api.host }
  }
}

/** Adds two scans: the second has one new usage in `left`, and lacks one of the first. */
async function fillProject(
  app: ApiDiscovery,
  given: {
    readonly caller: Caller
    readonly name: string
    readonly uses: number
    readonly left: number
    readonly urls: Urls
  },
): Promise<FilledScan> {
  const { caller, name, uses, left, urls } = given
  const number = createNumberGenerator(uses)
  const submit = async (month: number) => {
    const rows = Array.from({ length: uses }, (_, index) => {
      const isOwn = index % left === 0
      const { url, method } = urls(isOwn ? index + month * 1_000_000 : index)
      const file = `packages/pkg${index % 40}/src/mod${Math.floor(number() * 60)}.ts`
      return {
        endpoint_url: url,
        endpoint_method: method,
        found_in: [{ file, line: 1 + (index % 900), column: 3 }],
      }
    })
    const head = {
      project_name: name,
      datetime_created: `2026-0${month}-0${1 + (uses % 9)}T08:00:00Z`,
    }
    const { project_id } = await app.call('submitProjectScan', { head, rows }, caller)
    const endpoints = rows.slice(0, 200).map(({ endpoint_url }, index) => ({
      endpoint_url,
      approval: index % 3 === 0 ? ('no' as const) : ('yes' as const),
      reason: 'Looked at by the board.',
    }))
    if (month === 1)
      await app.call('reviewProjectScan', { body: { project_id, endpoints } }, caller)
    return project_id
  }
  const before = await submit(1)
  return { before, id: await submit(2) }
}

const BATCH = 5000

async function fillNetwork(
  app: ApiDiscovery,
  given: {
    readonly caller: Caller
    readonly name: string
    readonly flows: number
    readonly urls: Urls
  },
): Promise<FilledScan> {
  const { caller, name, flows, urls } = given
  const submit = async (month: number) => {
    let instanceId: string | undefined
    for (let start = 0, batch = 1; start < flows; start += BATCH, batch += 1) {
      const rows = Array.from({ length: Math.min(BATCH, flows - start) }, (_, at) => {
        const index = start + at + (at % 50 === 0 ? month * 1_000_000 : 0)
        const { url, method, host } = urls(index)
        return {
          captured_ip: `203.0.${Math.floor(index / 250) % 250}.${index % 250}`,
          port: 443,
          host,
          direction: 'Outgoing' as const,
          capture_datetime: new Date(Date.UTC(2026, month, 1) + index * 1000).toISOString(),
          ...(index % 3 === 0 ? { method, url } : {}),
        }
      })
      const head = instanceId
        ? { instance_id: instanceId, batch }
        : {
            network_name: name,
            project_name: 'Company',
            start_time: `2026-0${month}-01T08:00:00Z`,
            scan_status: 'complete' as const,
            batch,
          }
      const { instance_id } = await app.call('submitNetworkScan', { head, rows }, caller)
      instanceId = instance_id
    }
    return instanceId ?? ''
  }
  const before = await submit(1)
  return { before, id: await submit(2) }
}
