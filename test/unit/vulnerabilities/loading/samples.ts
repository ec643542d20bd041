import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'

/** A record about one product, with changes. */
export function sampleRecord(number: number, changes: Partial<CveRecord> = {}): CveRecord {
  return {
    id: `CVE-2021-${String(number).padStart(4, '0')}`,
    source: 'cna@example.com',
    status: 'Analyzed',
    isRejected: false,
    publishedAt: Date.UTC(2021, 0, 1) + number * 60_000,
    modifiedAt: Date.UTC(2022, 0, 1),
    descriptions: [{ language: 'en', text: `A remote flaw number ${number} in the parser` }],
    metrics: [
      {
        version: '3.1',
        source: 'nvd@nist.gov',
        isPrimary: true,
        score: 7.5,
        severity: 'HIGH',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      },
    ],
    weaknesses: [{ source: 'nvd@nist.gov', isPrimary: true, id: 'CWE-79' }],
    configurations: sampleConfigurations('acme', 'web_server'),
    references: [
      { url: 'https://example.com/advisory', source: 'cna@example.com', tags: ['Patch'] },
    ],
    tags: [],
    ...changes,
  }
}

/** Version 1.0 and all versions before 2.0 of a product. */
export function sampleConfigurations(vendor: string, product: string): CveRecord['configurations'] {
  const cpe = (version: string) => `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`
  return [
    {
      operator: 'OR',
      isNegated: false,
      nodes: [
        {
          operator: 'OR',
          isNegated: false,
          matches: [
            { isVulnerable: true, cpe: cpe('1.0') },
            {
              isVulnerable: true,
              cpe: cpe('*'),
              range: { to: { version: '2.0', isIncluded: false } },
            },
          ],
          children: [],
        },
      ],
    },
  ]
}
