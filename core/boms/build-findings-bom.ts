import type { Approval, CodeLocation } from '../scans/records.ts'
import { type BomSources, type ProjectRow, readProjectServices } from './build-bom.ts'
import { type Bom, NO_DECISION } from './model.ts'

/** A usage of an API; see `ReportedUsage`. */
export interface BomUsage {
  readonly url: string
  /** Lower case; undefined if unknown. */
  readonly method: string | undefined
  readonly places: readonly CodeLocation[]
  readonly packages: readonly string[]
  readonly lowestPackages?: readonly string[]
  /** URLs of other environments that the code may select instead of `url`. */
  readonly alternatives?: readonly string[]
  readonly vendorName?: string | undefined
  /** Types of AI services, and the models that the code requests of them. */
  readonly kinds?: readonly string[]
  readonly models?: readonly string[]
  /** 0 to 1. */
  readonly confidence: number
  readonly apiId: number | undefined
  readonly approval: Approval
  readonly reason: string
}

/**
 * Builds the BOM of a scan that is not stored, directly from the scanner's findings.
 *
 * @example
 * ```ts
 * import { buildFindingsBom } from 'api-discovery/boms'
 * import { mergeUsages } from 'api-discovery/scans'
 *
 * const bom = buildFindingsBom(storage.catalogue, {
 *   projectName: 'storefront',
 *   scannedAt: Date.now(),
 *   uses: mergeUsages(found.findings),
 * })
 * ```
 */
export function buildFindingsBom(
  catalogue: BomSources['catalogue'],
  scan: {
    readonly projectName: string
    /** Milliseconds since the epoch. */
    readonly scannedAt: number
    /** In the format that `mergeUsages` returns. */
    readonly uses: readonly BomUsage[]
  },
): Bom {
  const { projectName, scannedAt, uses } = scan
  return {
    subject: { kind: 'project', id: '', projectName, networkName: '', createdAt: scannedAt },
    scans: [
      {
        analyzedAt: scannedAt,
        instance: undefined,
        services: readProjectServices(catalogue, toScannedRows(uses)),
      },
    ],
  }
}

/** Sorts rows by API, with unmatched ones last. */
async function* toScannedRows(uses: readonly BomUsage[]): AsyncIterable<readonly ProjectRow[]> {
  const rows = uses.map(
    ({ apiId, method = '', places, ...use }, position): ProjectRow => ({
      ...use,
      position,
      method,
      foundIn: places,
      match: apiId === undefined ? undefined : { apiId, endpointId: undefined, confidence: 1 },
      decision: NO_DECISION,
    }),
  )
  const last = Number.POSITIVE_INFINITY
  yield rows.sort(
    (a, b) => (a.match?.apiId ?? last) - (b.match?.apiId ?? last) || a.position - b.position,
  )
}
