import type { HostVendors } from '../vendors/vendor-of-host.ts'
import { findRowVendor, type NewEndpoint, type NewFlow, toPackages } from './kept.ts'
import { toHostOf } from './owners.ts'
import type { FoundPlace } from './records.ts'
import type { ScanUse } from './use-store.ts'

/** A use with what its first row says of it. */
export interface ShownUse extends Omit<ScanUse, 'detail'> {
  /** Lower case, without a port; with `{}` for what the code leaves open; empty when unknown. */
  readonly host: string
  /** Where it is in the code; empty for traffic. */
  readonly foundIn: readonly FoundPlace[]
  /** Package URLs of the vendor's libraries, each once. */
  readonly packages: readonly string[]
  /** URLs of other environments, which the code may choose instead. */
  readonly alternatives: readonly string[]
  /** Vendor of the host, else as the scanner said; empty where unknown, and of a catalogued API. */
  readonly vendorName: string
  /** 0 to 1, as the scanner said. */
  readonly confidence: number | undefined
  /** Undefined in code, and where it is not known. */
  readonly port: number | undefined
}

/** Creates what reads uses, with the vendors of their hosts by the catalogue as it is then. */
export function createUseReader(
  vendors: () => Promise<HostVendors>,
): (uses: readonly ScanUse[]) => Promise<readonly ShownUse[]> {
  return async (uses) => {
    const current = await vendors()
    return uses.map((use) => toShownUse(use, current))
  }
}

function toShownUse({ detail, ...use }: ScanUse, vendors: HostVendors): ShownUse {
  // Written by `toEndpointRow` or `toFlowRow`.
  const known = JSON.parse(detail) as Partial<NewEndpoint> & Partial<NewFlow>
  const { owner, subject: url, apiId } = use
  const row = { ...known, owner, url, isMatched: apiId !== undefined }
  return {
    ...use,
    host: known.host || toHostOf(use.subject),
    foundIn: known.foundIn ?? [],
    packages: toPackages(known),
    alternatives: known.alternatives ?? [],
    vendorName: findRowVendor(row, vendors) ?? '',
    confidence: known.confidence,
    port: known.port,
  }
}
