import type { UsageRole } from '../code-scanner/model/finding.ts'
import { findMainRole } from '../code-scanner/noise/usage-roles.ts'
import type { HostVendors } from '../vendors/host-vendors.ts'
import { parseSubjectHost } from './owners.ts'
import type { CodeLocation } from './records.ts'
import { findRowVendor, type NewEndpoint, type NewFlow, readStoredPackages } from './stored-rows.ts'
import type { ScanUsage } from './usage-store.ts'

export type { UsageRole }

/** A usage with the details of its first row. */
export interface ShownUsage extends Omit<ScanUsage, 'detail'> {
  /** Lower case, without a port; `{}` for unresolved parts; empty if unknown. */
  readonly host: string
  /** Locations in the code; empty for traffic. */
  readonly foundIn: readonly CodeLocation[]
  /** Package URLs of the vendor's libraries, each once. */
  readonly packages: readonly string[]
  /** URLs of other environments that the code may use instead. */
  readonly alternatives: readonly string[]
  /** Vendor of the host, else the scanner's; empty if unknown, and for catalogued APIs. */
  readonly vendorName: string
  /** 0 to 1, from the scanner. */
  readonly confidence: number | undefined
  /** Undefined for code, or if unknown. */
  readonly port: number | undefined
  /** The scanner's, else by the locations in the code; `production` for traffic. */
  readonly role: UsageRole
}

/** Creates a reader that adds details and vendors of the current catalogue to usages. */
export function createUsageReader(
  vendors: () => Promise<HostVendors>,
): (uses: readonly ScanUsage[]) => Promise<readonly ShownUsage[]> {
  return async (uses) => {
    const current = await vendors()
    return uses.map((use) => toShownUsage(use, current))
  }
}

function toShownUsage({ detail, ...use }: ScanUsage, vendors: HostVendors): ShownUsage {
  // The cast is safe: `toEndpointRow` or `toFlowRow` wrote it.
  const known = JSON.parse(detail) as Partial<NewEndpoint> & Partial<NewFlow>
  const { owner, subject: url, apiId } = use
  const row = { ...known, owner, url, isMatched: apiId !== undefined }
  const packages = readStoredPackages(known)
  const rated = { url, apiId, package: packages[0] }
  return {
    ...use,
    host: known.host || parseSubjectHost(use.subject),
    foundIn: known.foundIn ?? [],
    packages,
    alternatives: known.alternatives ?? [],
    vendorName: findRowVendor(row, vendors) ?? '',
    confidence: known.confidence,
    port: known.port,
    role: known.role ?? findMainRole((known.foundIn ?? []).map(({ file }) => ({ ...rated, file }))),
  }
}
