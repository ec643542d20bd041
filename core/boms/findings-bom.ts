import type { Approval, FoundPlace, ScannedEndpoint } from '../scans/records.ts'
import { type BomSources, readProjectServices } from './build-bom.ts'
import { type Bom, UNDECIDED } from './model.ts'

/** A use of an API; see `ReportedUse`. */
export interface BomUse {
  readonly url: string
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
  readonly places: readonly FoundPlace[]
  readonly packages: readonly string[]
  /** URLs of other environments, which the code may choose instead of `url`. */
  readonly alternatives?: readonly string[]
  readonly vendorName?: string | undefined
  /** 0 to 1. */
  readonly confidence: number
  readonly apiId: number | undefined
  readonly approval: Approval
  readonly reason: string
}

/** The bill of a scan that is not stored: straight from what the scanner found. */
export function buildFindingsBom(
  catalogue: BomSources['catalogue'],
  scan: {
    readonly projectName: string
    /** Milliseconds since the epoch. */
    readonly scannedAt: number
    /** As `joinUses` gives them. */
    readonly uses: readonly BomUse[]
  },
): Bom {
  const { projectName, scannedAt, uses } = scan
  return {
    subject: { kind: 'project', id: '', projectName, networkName: '', createdAt: scannedAt },
    scans: [
      {
        analyzedAt: scannedAt,
        instance: undefined,
        services: readProjectServices(catalogue, toRows(uses)),
      },
    ],
  }
}

/** API by API, those of no API last. */
async function* toRows(uses: readonly BomUse[]): AsyncIterable<readonly ScannedEndpoint[]> {
  const rows = uses.map(
    ({ apiId, method = '', places, ...use }, position): ScannedEndpoint => ({
      ...use,
      position,
      method,
      foundIn: places,
      match: apiId === undefined ? undefined : { apiId, endpointId: undefined, confidence: 1 },
      decision: UNDECIDED,
    }),
  )
  const last = Number.POSITIVE_INFINITY
  yield rows.sort(
    (a, b) => (a.match?.apiId ?? last) - (b.match?.apiId ?? last) || a.position - b.position,
  )
}
