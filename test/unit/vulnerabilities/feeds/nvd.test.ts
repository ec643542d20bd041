import { describe, expect, it } from 'vitest'
import { toCveRecord } from '../../../../core/vulnerabilities/feeds/read-nvd.ts'
import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'

const CPE = 'cpe:2.3:a:acme:rocket:*:*:*:*:*:*:*:*'
const PLATFORM = 'cpe:2.3:o:acme:os:-:*:*:*:*:*:*:*'

describe('toCveRecord for JSON 2.0', () => {
  it('reads every field', () => {
    expect(toCveRecord({ cve: fullRecord() })).toEqual({
      id: 'CVE-2030-12345',
      source: 'cna@acme.example',
      status: 'Analyzed',
      isRejected: false,
      publishedAt: Date.UTC(2030, 0, 2, 3, 4, 5, 678),
      modifiedAt: Date.UTC(2030, 1, 3, 4, 5, 6, 0),
      descriptions: [
        { language: 'en', text: 'A rocket.' },
        { language: 'es', text: 'Un cohete.' },
      ],
      metrics: [
        {
          version: '4.0',
          source: 'cna@acme.example',
          isPrimary: false,
          score: 9.3,
          severity: 'CRITICAL',
          vector: 'CVSS:4.0/AV:N',
        },
        {
          version: '3.1',
          source: 'nvd@nist.gov',
          isPrimary: true,
          score: 7.5,
          severity: 'HIGH',
          vector: 'CVSS:3.1/AV:N',
        },
        {
          version: '3.1',
          source: 'cna@acme.example',
          isPrimary: false,
          score: 5,
          severity: 'MEDIUM',
          vector: 'CVSS:3.1/AV:L',
        },
        {
          version: '2.0',
          source: 'nvd@nist.gov',
          isPrimary: true,
          score: 4.3,
          severity: 'MEDIUM',
          vector: 'AV:N/AC:M',
        },
      ],
      weaknesses: [
        { source: 'nvd@nist.gov', isPrimary: true, id: 'CWE-79' },
        { source: 'nvd@nist.gov', isPrimary: true, id: 'CWE-20' },
        { source: 'cna@acme.example', isPrimary: false, id: 'NVD-CWE-noinfo' },
      ],
      configurations: [
        {
          operator: 'AND',
          isNegated: false,
          nodes: [
            {
              operator: 'OR',
              isNegated: false,
              matches: [
                {
                  isVulnerable: true,
                  cpe: CPE,
                  range: {
                    from: { version: '1.0', isIncluded: true },
                    to: { version: '2.0:d1', isIncluded: false },
                  },
                },
                {
                  isVulnerable: true,
                  cpe: CPE,
                  range: {
                    from: { version: '3.0', isIncluded: false },
                    to: { version: '3.4', isIncluded: true },
                  },
                },
              ],
              children: [],
            },
            {
              operator: 'AND',
              isNegated: true,
              matches: [{ isVulnerable: false, cpe: PLATFORM }],
              children: [],
            },
          ],
        },
        { operator: 'OR', isNegated: false, nodes: [] },
      ],
      reported: [
        {
          source: 'x',
          ...{ vendor: 'Acme', product: '', cpes: [], modules: [], platforms: [] },
          defaultStatus: 'unknown',
          versions: [],
        },
        {
          source: 'cna@acme.example',
          vendor: 'Acme, Inc.',
          product: 'Rocket Engine',
          packageName: 'rocket',
          packageUrl: 'pkg:npm/rocket',
          collectionUrl: 'https://registry.example',
          repository: 'https://code.example/rocket',
          cpes: ['cpe:2.3:a:acme:rocket:*:*:*:*:*:*:*:*'],
          modules: ['nozzle'],
          platforms: ['Mars'],
          defaultStatus: 'unaffected',
          versions: [
            {
              version: '1.0',
              status: 'affected',
              type: 'semver',
              lessThan: '2.0',
              changes: [{ at: '1.5', status: 'unaffected' }],
            },
            { version: '3.0', status: 'unknown', lessThanOrEqual: '3.4' },
          ],
        },
      ],
      ssvc: {
        source: 'new',
        assessedAt: Date.UTC(2030, 0, 4, 0, 0, 0, 123),
        exploitation: 'active',
        isAutomatable: true,
        technicalImpact: 'total',
      },
      references: [
        { url: 'https://acme.example/1', source: 'cna@acme.example', tags: ['Patch', 'Exploit'] },
        { url: 'https://acme.example/2', source: '', tags: [] },
      ],
      tags: ['disputed', 'unsupported-when-assigned'],
      exploited: {
        name: 'Acme Rocket',
        addedOn: '2030-01-05',
        dueOn: '2030-01-26',
        action: 'Update it.',
      },
    } satisfies CveRecord)
  })

  it('reads a record without its optional fields', () => {
    const expected = {
      id: 'CVE-2030-0001',
      source: '',
      status: '',
      isRejected: false,
      publishedAt: Date.UTC(2030, 0, 2, 3, 4, 5),
      modifiedAt: Date.UTC(2030, 0, 2, 3, 4, 5),
      descriptions: [{ language: 'en', text: 'A rocket.' }],
      metrics: [],
      weaknesses: [],
      configurations: [],
      references: [],
      tags: [],
      exploited: undefined,
    } satisfies CveRecord
    expect(toCveRecord({ cve: smallRecord() })).toEqual(expected)
    expect(toCveRecord(smallRecord())).toEqual(expected)
  })

  it('derives the rejection from the status', () => {
    const record = toCveRecord({ cve: { ...smallRecord(), vulnStatus: 'Rejected' } })
    expect([record.status, record.isRejected]).toEqual(['Rejected', true])
  })

  it.each([
    ['id', { id: 'CVE-2030-1' }, 'Cannot read a record: id must be a CVE ID'],
    ['id', { id: 'CVE-2030-01234567' }, 'Cannot read a record: id must be a CVE ID'],
    ['id', { id: 7 }, 'Cannot read a record: id must be a CVE ID'],
    ['published', { published: 'yesterday' }, 'published must be a timestamp'],
    ['published', { published: '2030-02-30T00:00:00' }, 'published must be a timestamp'],
    ['lastModified', { lastModified: undefined }, 'lastModified must be a timestamp'],
    [
      'descriptions',
      { descriptions: [] },
      'descriptions must be a list of at least one description',
    ],
    ['descriptions', { descriptions: [{ lang: 'en' }] }, 'descriptions must be a string'],
    ['metrics', { metrics: [] }, 'metrics must be an object'],
    [
      'score',
      { metrics: toMetrics({ baseScore: '7' }) },
      'baseScore must be a number from 0 to 10',
    ],
    ['score', { metrics: toMetrics({ baseScore: 11 }) }, 'baseScore must be a number from 0 to 10'],
    ['score', { metrics: { cvssMetricV31: [{}] } }, 'cvssData must be an object'],
    ['weaknesses', { weaknesses: {} }, 'weaknesses must be an array'],
    [
      'CPE',
      { configurations: toNodes({ vulnerable: true, criteria: 'cpe:2.3:a:b' }) },
      'criteria must be a CPE 2.3 name',
    ],
    ['flag', { configurations: toNodes({ criteria: CPE }) }, 'vulnerable must be true or false'],
    [
      'operator',
      { configurations: [{ operator: 'XOR', nodes: [] }] },
      'operator must be AND or OR',
    ],
    ['references', { references: [{ url: 5 }] }, 'url must be a string'],
    ['tags', { references: [{ url: 'a:b', tags: [1] }] }, 'tags must be a string'],
    ['KEV', { cisaExploitAdd: 'soon' }, 'cisaExploitAdd must be a day'],
  ])('names the record and the field if %s is invalid: %j', (_, change, message) => {
    const wanted = message.startsWith('Cannot') ? message : `Cannot read CVE-2030-0001: ${message}`
    expect(() => toCveRecord({ cve: { ...smallRecord(), ...change } })).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: wanted }),
    )
  })

  it('rejects everything else', () => {
    for (const item of [null, undefined, 7, 'CVE-2030-0001', [], {}, { cve: [] }, { cve: null }]) {
      expect(() => toCveRecord(item)).toThrow(/^Cannot read a record: /)
    }
  })
})

describe('toCveRecord for JSON 1.1', () => {
  it('reads every field', () => {
    expect(toCveRecord(legacyRecord())).toEqual({
      id: 'CVE-2018-0001',
      source: 'cna@acme.example',
      status: '',
      isRejected: false,
      publishedAt: Date.UTC(2018, 0, 2, 3, 4),
      modifiedAt: Date.UTC(2019, 9, 9, 23, 31),
      descriptions: [{ language: 'en', text: 'A rocket.' }],
      metrics: [
        {
          version: '3.0',
          source: 'nvd@nist.gov',
          isPrimary: true,
          score: 9.8,
          severity: 'CRITICAL',
          vector: 'CVSS:3.0/AV:N',
        },
        {
          version: '2.0',
          source: 'nvd@nist.gov',
          isPrimary: true,
          score: 10,
          severity: 'HIGH',
          vector: 'AV:N/AC:L',
        },
      ],
      weaknesses: [{ source: 'nvd@nist.gov', isPrimary: true, id: 'CWE-79' }],
      configurations: [
        {
          operator: 'OR',
          isNegated: false,
          nodes: [
            {
              operator: 'AND',
              isNegated: false,
              matches: [],
              children: [
                {
                  operator: 'OR',
                  isNegated: false,
                  matches: [
                    {
                      isVulnerable: true,
                      cpe: CPE,
                      range: { to: { version: '2.0', isIncluded: true } },
                    },
                  ],
                  children: [],
                },
                {
                  operator: 'OR',
                  isNegated: false,
                  matches: [{ isVulnerable: false, cpe: PLATFORM }],
                  children: [],
                },
              ],
            },
          ],
        },
      ],
      references: [{ url: 'https://acme.example/1', source: 'MISC', tags: ['Patch'] }],
      tags: [],
      exploited: undefined,
    } satisfies CveRecord)
  })

  it('derives the rejection from the description', () => {
    const said = (value: string) => {
      const item = legacyRecord()
      item.cve.description.description_data = [{ lang: 'en', value }]
      return toCveRecord(item).isRejected
    }
    expect(said('** REJECT ** Not a rocket.')).toBe(true)
    expect(said('Rejected reason: Not a rocket.')).toBe(true)
    expect(said('Rejected tokens are accepted again.')).toBe(false)
  })

  it('rejects endlessly nested nodes', () => {
    let node: unknown = { operator: 'OR', children: [], cpe_match: [] }
    for (let depth = 0; depth < 50; depth += 1) node = { operator: 'AND', children: [node] }
    const item = { ...legacyRecord(), configurations: { nodes: [node] } }
    expect(() => toCveRecord(item)).toThrow(
      'Cannot read CVE-2018-0001: children must be nested at most 20 deep',
    )
  })

  it('rejects a score with an unknown version', () => {
    const impact = { baseMetricV3: { cvssV3: { version: '3.7', baseScore: 1 } } }
    expect(() => toCveRecord({ ...legacyRecord(), impact })).toThrow(
      'Cannot read CVE-2018-0001: cvssV3.version must be 3.0 or 3.1',
    )
  })
})

function smallRecord() {
  return {
    id: 'CVE-2030-0001',
    published: '2030-01-02T03:04:05.000',
    lastModified: '2030-01-02T03:04:05Z',
    descriptions: [{ lang: 'en', value: 'A rocket.' }],
  }
}

function toMetrics(data: Readonly<Record<string, unknown>>) {
  return { cvssMetricV31: [{ type: 'Primary', cvssData: { version: '3.1', ...data } }] }
}

function toNodes(match: Readonly<Record<string, unknown>>) {
  return [{ nodes: [{ operator: 'OR', negate: false, cpeMatch: [match] }] }]
}

function fullRecord() {
  const toScored = (type: string, version: string, score: number, severity: string) => ({
    source: type === 'Primary' ? 'nvd@nist.gov' : 'cna@acme.example',
    type,
    cvssData: {
      version,
      vectorString: `CVSS:${version}/AV:${score === 5 ? 'L' : 'N'}`,
      baseScore: score,
      baseSeverity: severity,
    },
  })
  return {
    id: 'CVE-2030-12345',
    sourceIdentifier: 'cna@acme.example',
    published: '2030-01-02T03:04:05.678',
    lastModified: '2030-02-03T04:05:06.000',
    vulnStatus: 'Analyzed',
    cveTags: [
      { sourceIdentifier: 'a', tags: ['disputed'] },
      { sourceIdentifier: 'b', tags: ['disputed', 'unsupported-when-assigned'] },
    ],
    descriptions: [
      { lang: 'es', value: 'Un cohete.' },
      { lang: 'en', value: 'A rocket.' },
    ],
    metrics: {
      cvssMetricV2: [
        {
          source: 'nvd@nist.gov',
          type: 'Primary',
          cvssData: { version: '2.0', vectorString: 'AV:N/AC:M', baseScore: 4.3 },
          baseSeverity: 'MEDIUM',
        },
      ],
      cvssMetricV31: [
        toScored('Secondary', '3.1', 5, 'MEDIUM'),
        toScored('Primary', '3.1', 7.5, 'HIGH'),
      ],
      cvssMetricV40: [toScored('Secondary', '4.0', 9.3, 'critical')],
      ssvcV203: [
        { source: 'x', ssvcData: { version: '2.0.3' } },
        { source: 'old', ssvcData: toSsvcData('2030-01-03T00:00:00Z', 'none') },
        { source: 'new', ssvcData: toSsvcData('2030-01-04T00:00:00.123456Z', 'active') },
        { source: 'older', ssvcData: toSsvcData('2030-01-02T00:00:00Z', 'poc') },
        { source: 'undated', ssvcData: { options: [{ exploitation: 'poc' }] } },
      ],
    },
    cisaExploitAdd: '2030-01-05',
    cisaActionDue: '2030-01-26',
    cisaRequiredAction: 'Update it.',
    cisaVulnerabilityName: 'Acme Rocket',
    weaknesses: [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        description: [
          { lang: 'en', value: 'CWE-79' },
          { lang: 'en', value: 'CWE-20' },
        ],
      },
      {
        source: 'cna@acme.example',
        type: 'Secondary',
        description: [{ lang: 'en', value: 'NVD-CWE-noinfo' }],
      },
    ],
    configurations: [
      {
        operator: 'AND',
        nodes: [
          {
            operator: 'OR',
            negate: false,
            cpeMatch: [
              {
                vulnerable: true,
                criteria: CPE,
                versionStartIncluding: '1.0',
                versionEndExcluding: '2.0\\:d1',
                matchCriteriaId: '0',
              },
              {
                vulnerable: true,
                criteria: CPE,
                versionStartExcluding: '3.0',
                versionEndIncluding: '3.4',
                matchCriteriaId: '1',
              },
            ],
          },
          {
            operator: 'AND',
            negate: true,
            cpeMatch: [{ vulnerable: false, criteria: PLATFORM, matchCriteriaId: '2' }],
          },
        ],
      },
      { nodes: [] },
    ],
    references: [
      { url: 'https://acme.example/1', source: 'cna@acme.example', tags: ['Patch', 'Exploit'] },
      { url: 'https://acme.example/2' },
    ],
    affected: [
      { source: 'x', affectedData: [{ vendor: 'Acme' }] },
      {
        source: 'cna@acme.example',
        affectedData: [
          {
            vendor: 'Acme, Inc.',
            product: 'Rocket Engine',
            packageName: 'rocket',
            packageURL: 'pkg:npm/rocket',
            collectionURL: 'https://registry.example',
            repo: 'https://code.example/rocket',
            cpes: ['cpe:2.3:a:acme:rocket:*:*:*:*:*:*:*:*'],
            modules: ['nozzle'],
            platforms: ['Mars'],
            programFiles: ['src/nozzle.c'],
            defaultStatus: 'unaffected',
            versions: [
              {
                version: '1.0',
                status: 'affected',
                versionType: 'semver',
                lessThan: '2.0',
                changes: [{ at: '1.5', status: 'unaffected' }],
              },
              { version: '3.0', status: 'invented', lessThanOrEqual: '3.4' },
            ],
          },
        ],
      },
    ],
  }
}

function toSsvcData(timestamp: string, exploitation: string) {
  const options = [{ exploitation }, { automatable: 'yes' }, { technicalImpact: 'total' }]
  return { timestamp, options, role: 'CISA Coordinator', version: '2.0.3' }
}

function legacyRecord() {
  return {
    cve: {
      data_type: 'CVE',
      CVE_data_meta: { ID: 'CVE-2018-0001', ASSIGNER: 'cna@acme.example' },
      problemtype: {
        problemtype_data: [{ description: [{ lang: 'en', value: 'CWE-79' }] }, { description: [] }],
      },
      references: {
        reference_data: [
          { url: 'https://acme.example/1', name: 'One', refsource: 'MISC', tags: ['Patch'] },
        ],
      },
      description: { description_data: [{ lang: 'en', value: 'A rocket.' }] },
    },
    configurations: {
      CVE_data_version: '4.0',
      nodes: [
        {
          operator: 'AND',
          children: [
            {
              operator: 'OR',
              children: [],
              cpe_match: [
                { vulnerable: true, cpe23Uri: CPE, versionEndIncluding: '2.0', cpe_name: [] },
              ],
            },
            { operator: 'OR', cpe_match: [{ vulnerable: false, cpe23Uri: PLATFORM }] },
          ],
          cpe_match: [],
        },
      ],
    },
    impact: {
      baseMetricV2: {
        cvssV2: { version: '2.0', vectorString: 'AV:N/AC:L', baseScore: 10 },
        severity: 'HIGH',
      },
      baseMetricV3: {
        cvssV3: {
          version: '3.0',
          vectorString: 'CVSS:3.0/AV:N',
          baseScore: 9.8,
          baseSeverity: 'CRITICAL',
        },
      },
    },
    publishedDate: '2018-01-02T03:04Z',
    lastModifiedDate: '2019-10-09T23:31Z',
  }
}
