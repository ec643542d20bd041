import type { ScanFailure } from '../../core/scans/index.ts'
import { type Io, toTable } from './io.ts'

/** Maximum number of printed failures. */
const SHOWN = 200

/** Prints the findings of `--fail-on`. */
export function printFailures(io: Io, failures: readonly ScanFailure[]): void {
  const shown = failures.slice(0, SHOWN)
  io.note(
    toTable(
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
