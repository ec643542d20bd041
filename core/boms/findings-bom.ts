import type { FoundPlace, ScannedEndpoint } from '../scans/records.ts'
import { type BomSources, readProjectServices } from './build-bom.ts'
import { type Bom, UNDECIDED } from './model.ts'

/** A use of an API that a scanner found; see `Finding`. */
export interface BomFinding {
  readonly url: string
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
  readonly file: string
  readonly line: number
  readonly column: number
  readonly package: string | undefined
  /** 0 to 1. */
  readonly confidence: number
  readonly apiId: number | undefined
}

/** The bill of a scan that is not stored: straight from what the scanner found. */
export function buildFindingsBom(
  catalogue: BomSources['catalogue'],
  scan: {
    readonly projectName: string
    /** Milliseconds since the epoch. */
    readonly scannedAt: number
    readonly findings: readonly BomFinding[]
    /** What was decided on a use; nobody decided when absent. */
    readonly decide?: DecideUse | undefined
  },
): Bom {
  const { projectName, scannedAt, findings, decide = () => UNREVIEWED } = scan
  return {
    subject: { kind: 'project', id: '', projectName, networkName: '', createdAt: scannedAt },
    scans: [
      {
        analyzedAt: scannedAt,
        instance: undefined,
        services: readProjectServices(catalogue, toRows(findings, decide)),
      },
    ],
  }
}

type DecideUse = (
  use: Pick<BomFinding, 'url' | 'method'>,
) => Pick<ScannedEndpoint, 'approval' | 'reason'>

const UNREVIEWED = { approval: 'unreviewed', reason: '' } as const

/** API by API, those of no API last. */
async function* toRows(
  findings: readonly BomFinding[],
  decide: DecideUse,
): AsyncIterable<readonly ScannedEndpoint[]> {
  const found = new Map<string, ScannedEndpoint & { readonly foundIn: FoundPlace[] }>()
  for (const { url, method = '', file, line, column, apiId, ...finding } of findings) {
    const key = `${apiId ?? ''} ${method} ${url} ${finding.package ?? ''}`
    const place = { file, line, column }
    const known = found.get(key)
    if (known) known.foundIn.push(place)
    else {
      found.set(key, {
        position: found.size,
        url,
        method,
        foundIn: [place],
        package: finding.package ?? '',
        confidence: finding.confidence,
        match: apiId === undefined ? undefined : { apiId, endpointId: undefined, confidence: 1 },
        ...decide({ url, method }),
        decision: UNDECIDED,
      })
    }
  }
  const last = Number.POSITIVE_INFINITY
  yield [...found.values()].sort(
    (a, b) => (a.match?.apiId ?? last) - (b.match?.apiId ?? last) || a.position - b.position,
  )
}
