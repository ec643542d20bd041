import { toCve5 } from './cve-records.ts'
import type { NvdServer } from './nvd-server.ts'
import { zipFiles } from './zip.ts'

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

const ARCHIVE = '2026-03-13_all_CVEs_at_midnight.zip'

/** An archive of the CVE Program with one record. */
const CVES = zipFiles([
  { name: 'cves/CVE-2026-0001.json', content: JSON.stringify(toCve5('CVE-2026-0001')) },
])

/** Serves the files at `/kev.json` and `/epss.csv`, and a list of releases at `/releases`. */
export function serveFeedFiles({ files }: NvdServer): void {
  const asset = { name: ARCHIVE, size: CVES.length, browser_download_url: `/${ARCHIVE}` }
  const releases = [{ tag_name: 'cve_2026-03-13_0000Z', assets: [asset] }]
  files.set('/releases', { bytes: Buffer.from(JSON.stringify(releases)) })
  files.set(`/${ARCHIVE}`, { bytes: CVES })
  files.set('/kev.json', { bytes: Buffer.from(JSON.stringify(KEV)) })
  files.set('/epss.csv', { bytes: Buffer.from(EPSS) })
}

/** Lists the mirrors of `sync all` that lead to the server. */
export function listMirrors({ url, origin }: NvdServer): readonly string[] {
  return [
    `nvd=${url}`,
    `cve=${origin}/releases`,
    `kev=${origin}/kev.json`,
    `epss=${origin}/epss.csv`,
  ]
}
