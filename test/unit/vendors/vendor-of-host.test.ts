import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/index.ts'
import { isPlaceholder } from '../../../core/code-scanner/noise/noise.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import type { MatchableEndpoint } from '../../../core/matching/match.ts'
import { createMatcher } from '../../../core/matching/matcher.ts'
import { scanNetwork } from '../../../core/traffic/scan-network.ts'
import { createHostVendors } from '../../../core/vendors/host-vendors.ts'
import { CASES, type CataloguedApi, type EvidenceCase } from './evidence-cases.ts'

const grammars = await openGrammars(['typescript'])
const table = createPackageTable()

describe('the vendor and API of a host', () => {
  it.each(CASES)('$url: $vendor, $api, as $why', async (evidence) => {
    const { url, vendor, api } = evidence
    const catalogue = toCatalogue(evidence)
    const expected = { vendorName: vendor, apiName: api }
    const { findings } = await scanUrl(url, catalogue)
    expect(findings.length > 0).toBe(api !== undefined || !isPlaceholder(url))
    for (const finding of findings) expect(pickNames(finding)).toEqual(expected)
    expect(pickNames((await capture(url, catalogue))[0])).toEqual(expected)
    const match = catalogue.match({ method: 'get', url })
    expect(match?.apiName).toBe(api)
    expect(match?.vendorName ?? catalogue.findVendor(hostOf(url))).toBe(vendor)
  })

  it('has at least 60 cases, each with its own reason', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(CASES.map(({ why }) => why)).size).toBe(CASES.length)
  })
})

function toCatalogue({ apis = [], vendors = [] }: EvidenceCase) {
  const matcher = createMatcher()
  matcher.addEndpoints(apis.flatMap(toEndpoints))
  const entered = [
    ...apis.map(({ vendor, homepage = '' }) => ({ name: vendor, homepage })),
    ...vendors,
  ]
  return { match: matcher.match, findVendor: createHostVendors(entered).findVendor }
}

function toEndpoints(api: CataloguedApi, index: number): readonly MatchableEndpoint[] {
  return api.endpoints.map((endpoint, position) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const id = index * 100 + position + 1
    const variables = Object.entries(api.variables ?? {}).map(([name, value]) => ({
      name,
      default: value,
      values: [],
    }))
    return {
      id,
      shortId: `e${id}`,
      apiId: index + 1,
      apiName: api.name,
      vendorName: api.vendor,
      method,
      path,
      servers: [{ url: api.server, name: '', variables }],
    }
  })
}

function scanUrl(url: string, catalogue: ReturnType<typeof toCatalogue>) {
  const files = [{ path: 'a.ts', text: `await fetch('${url}')` }]
  return scanProject({ files, catalogue, grammars, ...table })
}

async function capture(url: string, catalogue: ReturnType<typeof toCatalogue>) {
  const flow = {
    ip: '192.0.2.1',
    port: 443,
    host: hostOf(url),
    direction: 'Outgoing' as const,
    capturedAt: 0,
    protocol: 'http' as const,
    via: 'http' as const,
    method: 'get',
    url,
  }
  const flows = []
  for await (const each of scanNetwork({ flows: [flow], catalogue })) flows.push(each)
  return flows
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/:]+)/.exec(url)?.[1] ?? ''
}

function pickNames(
  found:
    | { readonly vendorName?: string | undefined; readonly apiName?: string | undefined }
    | undefined,
) {
  return { vendorName: found?.vendorName, apiName: found?.apiName }
}
