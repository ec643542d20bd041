import { type NewEndpoint, type NewFlow, toPackages } from './kept.ts'
import type { FoundPlace } from './records.ts'
import type { ScanUse } from './use-store.ts'

/** A use with what its first row says of it. */
export interface ShownUse extends Omit<ScanUse, 'detail'> {
  /** Where it is in the code; empty for traffic. */
  readonly foundIn: readonly FoundPlace[]
  /** Package URLs of the vendor's libraries, each once. */
  readonly packages: readonly string[]
  /** Of the host or library, as the scanner knows it, or empty. */
  readonly vendorName: string
  /** 0 to 1, as the scanner said. */
  readonly confidence: number | undefined
  /** Undefined in code, and where it is not known. */
  readonly port: number | undefined
}

export function toShownUse({ detail, ...use }: ScanUse): ShownUse {
  // Written by `toEndpointRow` or `toFlowRow`.
  const known = JSON.parse(detail) as Partial<NewEndpoint> & Partial<NewFlow>
  return {
    ...use,
    foundIn: known.foundIn ?? [],
    packages: toPackages(known),
    vendorName: known.vendorName ?? '',
    confidence: known.confidence,
    port: known.port,
  }
}
