import { toRows, writeDocument } from '../../../shared/json-document.ts'
import type { Finding, FoundVia, ProjectFindings, UnmatchedHost, UntoldCall } from '../finding.ts'

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
  /** Absent where the project does not tell it: `url` begins with `{}` then. */
  readonly host?: string
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
    findings: inOrder(found).map(toDocument),
    unmatched: found.unmatched.map(toUnmatched),
  }
}

/** Writes that document in chunks of UTF-8; a part of it is in memory at a time. */
export function writeFindingsDocument(found: ProjectFindings): AsyncIterable<Uint8Array> {
  const { files, skipped } = found
  return writeDocument({
    files,
    skipped,
    findings: toRows(inOrder(found), toDocument),
    unmatched: toRows(found.unmatched, toUnmatched),
  })
}

/** All that is called, in order of files and their texts. */
function inOrder({ findings, untold }: ProjectFindings): readonly (Finding | UntoldCall)[] {
  if (untold.length === 0) return findings
  return [...findings, ...untold].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function toDocument(finding: Finding | UntoldCall): FindingDocument {
  if (!('host' in finding)) {
    const { method, ...rest } = finding
    return method === undefined ? rest : { ...rest, method }
  }
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
