import * as fc from 'fast-check'
import { type BomVulnerability, collectBom } from '../../../core/boms/collect-bom.ts'
import type { Bom, BomEndpoint, BomInstance, BomService } from '../../../core/boms/model.ts'
import {
  APPROVALS,
  CVE_JUSTIFICATIONS,
  CVE_RESPONSES,
  CVE_STATUSES,
  type CveReview,
} from '../../../core/scans/records.ts'
import { codePoint } from '../../helpers/code-point.ts'

/** Arbitrary third-party texts. */
const hostileText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '',
    'Example API',
    '\u0000\u0008\u001b[31m',
    '\uD800 lone \uDC00',
    '\uFFFE\uFFFF',
    ']]>',
    '<script>alert(1)</script>',
    '&amp; " \' \t \n \r\n \u0085 \u2028',
    '  blanks  everywhere  ',
    '<!DOCTYPE x [<!ENTITY y "z">]>',
  ),
)
const hostileUrl = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  hostileText,
  hostileText.map((text) => `https://api.example.com/${text}`),
  hostileText.map((text) => `https://${text}/v1`),
  fc.constantFrom(
    'https://api.example.com/v1/users/{}',
    'https://{region}.example.com:{port}/v1',
    'https://user:secret@example.com/a[0]?b=%zz#c#d',
    'http://[::1]:8080/x',
    'http://[fe80::1%25eth0]/',
    'http://[nonsense/',
    'http://a:b:c/',
    'http://example.com:99999999999/',
    'javascript:alert(1)',
    'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1',
    '//example.com',
    ':::',
    'http:',
    'http://',
    '?',
    '#',
    '1a:b',
    'a b:c',
    'data:text/html,<b>',
  ),
)
const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })
const decision = fc.record({ by: hostileText, at: fc.option(instant, { nil: undefined }) })
const endpoint: fc.Arbitrary<BomEndpoint> = fc.record({
  url: hostileUrl,
  method: fc.oneof(fc.constantFrom('', 'get', 'post', 'delete'), hostileText),
  approval: fc.constantFrom(...APPROVALS),
  reason: hostileText,
  decision,
  foundIn: fc.array(
    fc.record(
      { file: hostileText, line: fc.nat(9_999), column: fc.nat(200) },
      { requiredKeys: ['file'] },
    ),
    { maxLength: 3 },
  ),
  packages: fc
    .oneof(fc.constant(''), fc.constant('pkg:npm/example@1.0.0'), hostileText)
    .map((name) => (name === '' ? [] : [name, 'pkg:gem/example'])),
  lowestPackages: fc.option(
    fc.array(
      hostileText.map((text) => `pkg:npm/${text}@${text}`),
      { maxLength: 2 },
    ),
    { nil: undefined },
  ),
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
})
const service: fc.Arbitrary<BomService> = fc.record({
  ref: fc.oneof(
    hostileText.map((text) => `host:${text}`),
    fc.nat(50).map((id) => `api:${id}`),
  ),
  name: hostileText,
  isMatched: fc.boolean(),
  provider: fc.record({ name: hostileText, urls: fc.array(hostileUrl, { maxLength: 2 }) }),
  group: hostileText,
  version: hostileText,
  description: hostileText,
  isAuthenticated: fc.option(fc.boolean(), { nil: undefined }),
  references: fc.array(
    fc.record({
      type: fc.constantFrom('url' as const, 'license' as const, 'documentation' as const),
      url: hostileUrl,
    }),
    { maxLength: 3 },
  ),
  licenses: fc.array(
    fc.record({
      name: fc.oneof(hostileText, fc.constantFrom('MIT', 'Apache-2.0', 'MIT OR Apache-2.0')),
      url: hostileUrl,
    }),
    { maxLength: 3 },
  ),
  endpoints: fc.array(endpoint, { maxLength: 4 }),
  captures: fc.array(
    fc.record({
      ip: fc.oneof(fc.ipV4(), fc.ipV6(), hostileText),
      port: fc.option(fc.nat(65_535), { nil: undefined }),
      direction: fc.constantFrom('Outgoing' as const, 'Incoming' as const),
      at: instant,
    }),
    { maxLength: 3 },
  ),
})
const instance: fc.Arbitrary<BomInstance> = fc.record({
  id: hostileText,
  nicIp: hostileText,
  nicName: hostileText,
  macAddress: hostileText,
  organization: hostileText,
  startedAt: instant,
  endedAt: fc.option(instant, { nil: undefined }),
  status: fc.constantFrom('interrupted' as const, 'complete' as const),
  reviewStatus: fc.constantFrom('not_started' as const, 'complete' as const),
  isApproved: fc.constantFrom('not_analyzed' as const, 'yes' as const),
  decision,
})
const vulnerability: fc.Arbitrary<BomVulnerability> = fc.record({
  id: fc.oneof(
    fc.nat(99_999).map((number) => `CVE-2021-${number}`),
    hostileText,
  ),
  description: hostileText,
  publishedAt: instant,
  modifiedAt: instant,
  metric: fc.option(
    fc.record({
      version: fc.constantFrom('2.0', '3.0', '3.1', '4.0', '5.0'),
      source: fc.oneof(fc.constantFrom('nvd@nist.gov', 'cna@acme.example', ''), hostileText),
      score: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
      severity: fc.constantFrom('HIGH', 'CRITICAL', 'LOW', '', 'Strange'),
      vector: hostileText,
    }),
    { nil: undefined },
  ),
  weaknesses: fc.array(fc.constantFrom('CWE-79', 'CWE-0', 'NVD-CWE-noinfo', 'CWE-1004'), {
    maxLength: 3,
  }),
  isExploited: fc.boolean(),
  authority: fc.constantFrom('nvd' as const, 'cve' as const),
  vendor: hostileText,
  product: hostileText,
})

const review: fc.Arbitrary<CveReview> = fc.record({
  cveId: hostileText,
  purl: hostileText,
  status: fc.constantFrom(...CVE_STATUSES),
  justification: fc.option(fc.constantFrom(...CVE_JUSTIFICATIONS), { nil: undefined }),
  response: fc.option(fc.constantFrom(...CVE_RESPONSES), { nil: undefined }),
  note: hostileText,
  by: hostileText,
  at: fc.option(instant, { nil: undefined }),
})

/** Complete BOMs in which every text is hostile. */
export const arbitraryBom = fc
  .record({
    kind: fc.constantFrom('project' as const, 'network' as const),
    id: hostileText,
    projectName: hostileText,
    networkName: hostileText,
    at: instant,
    services: fc.array(service, { maxLength: 5 }),
    instances: fc.array(instance, { minLength: 1, maxLength: 2 }),
    cves: fc.array(vulnerability, { maxLength: 2 }),
    review: fc.option(review, { nil: undefined }),
    affectedVersions: fc.oneof(fc.constantFrom('-', '>=1.0,<2', '1.0'), hostileText),
  })
  .map(({ kind, at, services, instances, cves, review, affectedVersions, ...subject }) => {
    const shown = kind === 'project' ? [undefined] : instances
    return {
      ...{ cves, review, affectedVersions },
      toBom: (): Bom => ({
        subject: { ...subject, kind, createdAt: at },
        scans: shown.map((instance) => ({
          analyzedAt: at,
          instance,
          services: toBatches(services),
        })),
      }),
    }
  })

/** Collects a BOM, with the CVEs of its services. */
export function collectArbitrary(arbitrary: {
  readonly cves: readonly BomVulnerability[]
  readonly review: CveReview | undefined
  readonly affectedVersions: string
  toBom(): Bom
}) {
  const { cves, review, affectedVersions } = arbitrary
  return collectBom(arbitrary.toBom(), {
    tool: { name: 'api-discovery', version: '1.2.3' },
    findVulnerabilities: async () => ({ found: cves, count: cves.length + 1 }),
    findPackageVulnerabilities: async (packages) =>
      packages.map((used) => ({
        ...used,
        found: cves.map((cve) => ({ ...cve, review, affectedVersions })),
        count: cves.length + 1,
      })),
  })
}

async function* toBatches<Item>(items: readonly Item[]): AsyncIterable<readonly Item[]> {
  yield items
}
