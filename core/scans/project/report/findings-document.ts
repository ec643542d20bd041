import { toRows, writeDocument } from '../../../shared/json-document.ts'
import type { Finding, FoundVia, ProjectFindings, UnmatchedHost } from '../finding.ts'

/** What `scan project --json` prints; what is unknown is absent. */
export interface FindingsDocument {
  readonly files: number
  /** Files that were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly findings: readonly FindingDocument[]
  readonly unmatched: readonly {
    readonly host: string
    readonly vendor?: string
    readonly count: number
  }[]
}

/** One finding as it is printed. */
export interface FindingDocument {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly url: string
  /** `endpointUrl`, where `url` is another. */
  readonly endpoint_url?: string
  readonly host: string
  readonly method?: string
  readonly via: FoundVia
  readonly confidence: number
  readonly endpoint_id?: string
  readonly api_name?: string
  readonly vendor_name?: string
  readonly package?: string
}

/** What a scan found as the document that scripts read. */
export function toFindingsDocument(found: ProjectFindings): FindingsDocument {
  const { files, skipped } = found
  return {
    files,
    skipped,
    findings: found.findings.map(toDocument),
    unmatched: found.unmatched.map(toUnmatched),
  }
}

/** Writes that document in chunks of UTF-8; a part of it is in memory at a time. */
export function writeFindingsDocument(found: ProjectFindings): AsyncIterable<Uint8Array> {
  const { files, skipped } = found
  return writeDocument({
    files,
    skipped,
    findings: toRows(found.findings, toDocument),
    unmatched: toRows(found.unmatched, toUnmatched),
  })
}

function toDocument(finding: Finding): FindingDocument {
  return {
    file: finding.file,
    line: finding.line,
    column: finding.column,
    url: finding.url,
    ...(finding.endpointUrl === finding.url ? {} : { endpoint_url: finding.endpointUrl }),
    host: finding.host,
    ...(finding.method === undefined ? {} : { method: finding.method }),
    via: finding.via,
    confidence: finding.confidence,
    ...(finding.endpointId === undefined ? {} : { endpoint_id: finding.endpointId }),
    ...(finding.apiName === undefined ? {} : { api_name: finding.apiName }),
    ...(finding.vendorName === undefined ? {} : { vendor_name: finding.vendorName }),
    ...(finding.package === undefined ? {} : { package: finding.package }),
  }
}

function toUnmatched({ host, vendorName, count }: UnmatchedHost) {
  return { host, ...(vendorName === undefined ? {} : { vendor: vendorName }), count }
}
