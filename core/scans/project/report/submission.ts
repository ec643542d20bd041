import { toSha256Hex } from '../../../shared/digests.ts'
import type { Finding } from '../finding.ts'
import { withoutBases } from './bases.ts'
import type { UsePlace } from './project-report.ts'

/** What `POST /scanned/projects` takes of one scan. */
export interface ScanSubmission {
  readonly head: { readonly project_name: string }
  readonly rows: readonly SubmittedEndpoint[]
  /** The same for the same content, whenever it is sent. */
  readonly idempotencyKey: string
}

export interface SubmittedEndpoint {
  readonly endpoint_url: string
  readonly endpoint_method?: string
  readonly found_in: readonly UsePlace[]
  readonly package?: string
  readonly confidence: number
}

/**
 * Makes what is sent to a server: one row for each URL, method and package, at most 1,000 places
 * each; no bases that others are built on.
 */
export async function toScanSubmission(
  projectName: string,
  findings: readonly Finding[],
): Promise<ScanSubmission> {
  const rows = toRows(withoutBases(findings))
  const head = { project_name: projectName }
  // No time of scanning: a repeat of the same content must be the same.
  return { head, rows, idempotencyKey: await toSha256Hex(JSON.stringify([head, rows])) }
}

/** What the service takes at the most. */
const MAX_PLACES = 1000
const MAX_URL = 4000
const MAX_FILE = 1000
const MAX_PACKAGE = 500

function toRows(findings: readonly Finding[]): readonly SubmittedEndpoint[] {
  const rows: SubmittedEndpoint[] = []
  const open = new Map<string, { readonly row: SubmittedEndpoint; readonly places: UsePlace[] }>()
  for (const finding of findings) {
    const { method, line, column, confidence } = finding
    const url = toLine(finding.url, MAX_URL)
    const file = toLine(finding.file, MAX_FILE)
    const name = toLine(finding.package ?? '', MAX_PACKAGE)
    const key = `${method ?? ''} ${url} ${name}`
    const known = open.get(key)
    if (known && known.places.length < MAX_PLACES) {
      known.places.push({ file, line, column })
      continue
    }
    const places = [{ file, line, column }]
    const row = {
      endpoint_url: url,
      ...(method === undefined ? {} : { endpoint_method: method }),
      found_in: places,
      ...(name === '' ? {} : { package: name }),
      confidence,
    }
    open.set(key, { row, places })
    rows.push(row)
  }
  return rows
}

/** Names of files may hold anything; the service takes no control characters and no half characters. */
function toLine(text: string, length: number): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .slice(0, length)
    .replace(/\p{Cs}$/u, '')
}
