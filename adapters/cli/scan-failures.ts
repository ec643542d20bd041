import type { ScanFailure } from '../../core/scans/index.ts'
import { type Io, toTable } from './io.ts'

/** Failures that are listed. */
const SHOWN = 200

/** Tells what a scan was to fail on and has found. */
export function printFailures(io: Io, failures: readonly ScanFailure[]): void {
  const shown = failures.slice(0, SHOWN)
  io.note(
    toTable(
      ['FAILED', 'WHAT', 'WHERE', 'WHY'],
      shown.map(({ check, subject, place, reason }) => [
        check,
        subject,
        place ? `${place.file}:${place.line}` : '-',
        reason,
      ]),
    ),
  )
  if (failures.length > shown.length) io.note(`… and ${failures.length - shown.length} more.`)
}
