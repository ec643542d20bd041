import type { CaptureReport, Flow } from '../../core/traffic/flow.ts'
import type { TrafficFormat } from '../../core/traffic/logs/formats.ts'
import { createTrafficReader, type TrafficOutcome } from '../../core/traffic/traffic-reader.ts'

/** Result of reading traffic files. */
export interface ReadTraffic {
  /** Flows of each file, then flows that depend on all files. */
  readonly flows: readonly Flow[]
  readonly formats: readonly (TrafficFormat | undefined)[]
  readonly outcomes: readonly TrafficOutcome[]
  readonly reports: readonly CaptureReport[]
}

/** Reads related files (bytes or text) in chunks of `pieceBytes`. */
export async function readTraffic(
  files: readonly (string | Uint8Array)[],
  options: { readonly pieceBytes?: number; readonly ownAddresses?: readonly string[] } = {},
): Promise<ReadTraffic> {
  const { pieceBytes = 1 << 20, ownAddresses = [] } = options
  const reader = createTrafficReader({ ownAddresses })
  const flows: Flow[] = []
  const formats: (TrafficFormat | undefined)[] = []
  const outcomes: TrafficOutcome[] = []
  const reports: CaptureReport[] = []
  for (const file of files) {
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
    const reading = reader.read(splitBytes(bytes, pieceBytes))
    for await (const flow of reading) flows.push(flow)
    formats.push(reading.format())
    outcomes.push(reading.outcome())
    reports.push(reading.report())
  }
  return { flows: [...flows, ...reader.finish()], formats, outcomes, reports }
}

async function* splitBytes(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
