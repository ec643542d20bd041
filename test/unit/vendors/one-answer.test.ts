import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/index.ts'
import { evaluatePolicy } from '../../../core/assessments/policy/evaluate-policy.ts'
import { parsePolicy } from '../../../core/assessments/policy/parse-policy.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { groupEndpoints } from '../../../core/scans/report/group-endpoints.ts'
import { scanNetwork } from '../../../core/traffic/scan-network.ts'
import { openTestService, type TestService } from '../../helpers/service.ts'

const grammars = await openGrammars(['typescript'])

const HOSTS = ['api.github.com', 'sqs.us-east-1.amazonaws.com', 'api.nobody.dev', 'billing.acme.io']

const DOMAINS = ['github.com', 'amazonaws.com', 'nobody.dev', 'acme.io']

/** Names in the catalogue, and the expected vendors of the hosts above. */
const CATALOGUES: readonly (readonly [
  why: string,
  vendors: readonly { readonly name: string; readonly homepage: string }[],
  expected: readonly (string | undefined)[],
])[] = [
  ['nothing', [], ['GitHub', 'Amazon Web Services', undefined, undefined]],
  [
    'homepages',
    [
      { name: 'Policy Agent', homepage: 'https://github.com/policy/agent' },
      { name: 'Acme', homepage: 'https://acme.io' },
    ],
    ['GitHub', 'Amazon Web Services', undefined, 'Acme'],
  ],
  [
    'domains as names',
    ['github.com', 'amazonaws.com', 'acme.io'].map((name) => ({ name, homepage: '' })),
    ['github.com', 'amazonaws.com', undefined, 'acme.io'],
  ],
]

describe('the vendor of a host', () => {
  let service: TestService
  beforeEach(async () => {
    service = await openTestService()
  })
  afterEach(() => service.close())

  it.each(CATALOGUES)(
    'is the same everywhere if the catalogue has %s',
    async (_, vendors, expected) => {
      const { app, caller } = service
      for (const vendor of vendors) await app.call('createVendor', { body: vendor }, caller)
      const answers = {
        scan: await scanCode(service),
        capture: await scanTraffic(service),
        ...(await readStoredProject(service)),
        ...(await readStoredNetwork(service)),
      }
      const names = Object.fromEntries(Object.keys(answers).map((key) => [key, expected]))
      expect(answers).toEqual(names)
      // If the vendor is unknown, a BOM contains the domain.
      const providers = expected.map((vendor, index) => vendor ?? DOMAINS[index])
      expect(await readProjectBom(service)).toEqual(providers)
      expect(await readNetworkBom(service)).toEqual(providers)
    },
  )

  it('is used by the policy, regardless of a previous scan', async () => {
    const { app, caller } = service
    const project_id = await submitProject(service)
    const endpoints = await collectBatches(
      app.scans.listEndpoints(caller.account, { projectId: project_id, order: 'scan' }),
    )
    const { hosts } = groupEndpoints(endpoints, await app.loadScanCatalogue())
    const judge = (lists: string) =>
      evaluatePolicy(parsePolicy(`vendors: ${lists}`), { apis: [], hosts, now: 0 }).violations.map(
        ({ host, statement }) => `${host}: ${statement}`,
      )
    expect(judge('{ allow: [GitHub, amazonaws.com] }')).toEqual([])
    expect(judge('{ deny: [github.com] }')).toEqual(['api.github.com: The vendor GitHub is denied'])
  })
})

/** A previous scan contains a wrong vendor. */
async function submitProject({ app, caller }: TestService): Promise<string> {
  const rows = HOSTS.map((host) => ({
    endpoint_url: `https://${host}/v1`,
    ...(host === 'api.github.com' && { vendor_name: 'Policy Agent' }),
  }))
  const head = { project_name: 'Attic' }
  return (await app.call('submitProjectScan', { head, rows }, caller)).project_id
}

async function scanCode({ app }: TestService) {
  const text = HOSTS.map((host) => `await fetch('https://${host}/v1')`).join('\n')
  const { findings } = await scanProject({
    files: [{ path: 'a.ts', text }],
    catalogue: await app.loadScanCatalogue(),
    grammars,
  })
  return findings.map(({ vendorName }) => vendorName)
}

async function scanTraffic({ app }: TestService) {
  const flows = HOSTS.map((host) => ({
    ip: '192.0.2.1',
    port: 443,
    host,
    via: 'tls' as const,
    direction: 'Outgoing' as const,
    capturedAt: 0,
    protocol: 'tls',
    method: undefined,
    url: undefined,
  }))
  const names = []
  for await (const flow of scanNetwork({ flows, catalogue: await app.loadScanCatalogue() })) {
    names.push(flow.vendorName)
  }
  return names
}

async function readStoredProject(service: TestService) {
  const { app, caller } = service
  const project_id = await submitProject(service)
  const [project] = [await app.call('listScannedProjects', { project_id }, caller)].flat()
  const { scan } = await app.scans.getCounted(caller.account, { kind: 'project', id: project_id })
  const uses = await app.scans.listUsages(caller.account, { scan, filter: {}, offset: 0, limit: 9 })
  return {
    listed: project?.scan_details.map(({ vendor_name }) => vendor_name || undefined),
    console: inOrder(uses.map(({ subject, vendorName }) => [subject, vendorName])),
  }
}

async function readStoredNetwork(service: TestService) {
  const { app, caller } = service
  const rows = HOSTS.map((host) => ({
    captured_ip: '192.0.2.1',
    port: 443,
    host,
    direction: 'Outgoing' as const,
    capture_datetime: '2026-01-01T00:00:00Z',
  }))
  const head = {
    network_name: 'Cellar',
    project_name: 'Attic',
    start_time: '2026-01-01T00:00:00Z',
    scan_status: 'complete' as const,
  }
  const { instance_id } = await app.call('submitNetworkScan', { head, rows }, caller)
  const { scan_mappings } = await app.call('getNetworkScanMappings', { instance_id }, caller)
  const { scan } = await app.scans.getCounted(caller.account, { kind: 'network', id: instance_id })
  const uses = await app.scans.listUsages(caller.account, { scan, filter: {}, offset: 0, limit: 9 })
  return {
    mapped: scan_mappings.mappings.map(({ vendor_name }) => vendor_name),
    networkConsole: inOrder(uses.map(({ subject, vendorName }) => [subject, vendorName])),
  }
}

async function readProjectBom({ app, caller }: TestService) {
  const [project] = [await app.call('listScannedProjects', { name: 'Attic' }, caller)].flat()
  const request = { project_id: project?.project_id, format: 'cyclonedx-json' } as const
  return readProviders(await app.call('getProjectBom', request, caller))
}

async function readNetworkBom({ app, caller }: TestService) {
  const request = { network_name: 'Cellar', format: 'cyclonedx-json' } as const
  return readProviders(await app.call('getNetworkBom', request, caller))
}

function readProviders(bom: unknown) {
  const { services } = JSON.parse(new TextDecoder().decode(bom as Uint8Array)) as {
    readonly services: readonly {
      readonly name: string
      readonly provider: { readonly name: string }
    }[]
  }
  return inOrder(services.map(({ name, provider }) => [name, provider.name]))
}

/** Vendors in the order of the hosts. */
function inOrder(named: readonly (readonly [text: string, vendor: string])[]) {
  return HOSTS.map((host) => named.find(([text]) => text.includes(host))?.[1] || undefined)
}

async function collectBatches<Item>(
  batches: AsyncIterable<readonly Item[]>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}
