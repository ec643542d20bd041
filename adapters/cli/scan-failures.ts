import type { ScanFailure } from '../../core/scans/index.ts'
import { formatTable, type Io } from './io.ts'

/** Maximum number of printed failures. */
const MAX_PRINTED_FAILURES = 200

/** Prints the findings of `--fail-on`. */
export function printScanFailures(io: Io, failures: readonly ScanFailure[]): void {
  const shown = failures.slice(0, MAX_PRINTED_FAILURES)
  io.note(
    formatTable(
      ['CHECK', 'SUBJECT', 'LOCATION', 'REASON'],
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
