import type { NvdServer } from './nvd-server.ts'

/** A catalogue of CISA with one entry. */
export const KEV = {
  title: 'Known exploited',
  catalogVersion: '2026.03.13',
  dateReleased: '2026-03-13T10:00:00.000Z',
  count: 1,
  vulnerabilities: [
    {
      cveID: 'CVE-2026-0001',
      vendorProject: 'Acme',
      product: 'Server',
      vulnerabilityName: 'Acme Server Overflow',
      dateAdded: '2026-03-01',
      shortDescription: 'It overflows.',
      requiredAction: 'Update it.',
      dueDate: '2026-03-22',
      knownRansomwareCampaignUse: 'Known',
    },
  ],
}

/** An EPSS file with two scores. */
export const EPSS =
  '#model_version:v2025.03.14,score_date:2026-03-13T00:00:00Z\ncve,epss,percentile\nCVE-2026-0001,0.5,0.9\nCVE-2026-0002,0.25,0.7\n'

/** Serves both files at `/kev.json` and `/epss.csv`. */
export function serveFeedFiles({ files }: NvdServer): void {
  files.set('/kev.json', { bytes: Buffer.from(JSON.stringify(KEV)) })
  files.set('/epss.csv', { bytes: Buffer.from(EPSS) })
}

/** Lists the mirrors of `sync all` that lead to the server. */
export function listMirrors({ url, origin }: NvdServer): readonly string[] {
  return [`nvd=${url}`, `kev=${origin}/kev.json`, `epss=${origin}/epss.csv`]
}
