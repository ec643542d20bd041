import { expect, test } from 'vitest'
import { printScanSummary } from '../../adapters/cli/scan-summary.ts'
import { QUIET } from '../helpers/command-line.ts'
import { toFindings } from '../helpers/findings.ts'

test('the summary of a scan names files and folders that were not read', () => {
  const notes: string[] = []
  const unreadable = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'locked/', 'z.ts']
  const found = {
    ...toFindings([]),
    ...{ files: 1, skipped: { failed: 1, unreadable: 30 } },
    unread: [
      ...unreadable.map((path) => ({ path, reason: 'unreadable' as const })),
      { path: 'slow.ts', reason: 'failed' as const },
    ],
  }
  const io = { ...QUIET, note: (line: string) => void notes.push(line) }
  printScanSummary(io, { found, seconds: 1, hasHint: true })
  expect(notes).toEqual([
    '0 services, 0 usages; 1 file read, skipped: 1 failed, 30 unreadable; 1.0 s.',
    'Cannot read: a.ts, b.ts, c.ts, d.ts, locked/ and 25 more.',
    'Scan crashed or took too long: slow.ts.',
    'No usages of third-party APIs were found.',
  ])
})
