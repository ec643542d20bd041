import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Io } from '../../adapters/cli/io.ts'
import { formatDuration } from '../../adapters/cli/progress.ts'
import { createSyncReporter, summarizeLoad } from '../../adapters/cli/sync-report.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => void vi.useRealTimers())

/** A reporter and its output: results, notes and, with `~`, progress lines. */
function openReport(isInteractive: boolean, isJson = false) {
  const written: string[] = []
  const io: Io = {
    isInteractive,
    terminal: undefined,
    environment: {},
    result: (line) => void written.push(line),
    write: async () => 'ready',
    note: (line) => void written.push(line),
    status: (line) => void (line !== undefined && written.push(`~${line}`)),
    readInput: async () => new Uint8Array(0),
    async *streamInput() {},
    lowerPriority() {},
  }
  const { onEvent, end } = createSyncReporter(io, { isJson })
  const tell = (seconds: number, event: Parameters<typeof onEvent>[0]) => {
    vi.setSystemTime(seconds * 1000)
    onEvent(event)
  }
  const progress = (seconds: number, done: number, more: object = { total: 350_000 }) =>
    tell(seconds, { kind: 'progress', phase: 'records', done, ...more })
  return { written, tell, progress, end }
}

describe('progress', () => {
  it('is a redrawn line on a terminal, with rate and remaining time from the second record on', () => {
    const { written, progress } = openReport(true)
    progress(1, 100_000)
    progress(1.05, 102_000)
    progress(11, 150_000)
    progress(12, 0, { total: 40 })
    expect(written).toEqual([
      '~100000 of 350000 records',
      '~150000 of 350000 records, 5000/s, 40 s left',
      '~0 of 40 records',
    ])
  })

  it('is a line every ten seconds in a pipe', () => {
    const { written, progress, tell } = openReport(false)
    for (let second = 1; second <= 25; second += 1) progress(second, second * 1000, {})
    tell(40, { kind: 'progress', phase: 'index', done: 7 })
    expect(written).toEqual(['10000 records, 1000/s', '20000 records, 1000/s', '7 index terms'])
  })

  it('is measured by the bytes of files if they are known', () => {
    const { written, progress } = openReport(true)
    progress(1, 10, { bytes: { done: 100, total: 1000 } })
    progress(2, 20, { bytes: { done: 400, total: 1000 } })
    expect(written.at(-1)).toBe('~20 records, 10/s, 2 s left')
  })

  it('is a JSON object every second and at the start of each phase', () => {
    const { written, progress, tell } = openReport(false, true)
    progress(0.1, 100)
    progress(0.5, 500)
    progress(1.2, 1200)
    tell(1.3, { kind: 'progress', phase: 'index', done: 7 })
    expect(written.map((line) => JSON.parse(line))).toEqual([
      { event: 'progress', phase: 'records', done: 100, total: 350_000 },
      {
        event: 'progress',
        phase: 'records',
        done: 1200,
        total: 350_000,
        rate: 1000,
        seconds_left: 349,
      },
      { event: 'progress', phase: 'index', done: 7 },
    ])
  })
})

describe('other events', () => {
  it('are printed as lines with escaped control characters', () => {
    const { written, tell } = openReport(true)
    tell(1, { kind: 'begun', mode: 'full', isResumed: false })
    tell(1, { kind: 'begun', mode: 'increment', isResumed: true })
    tell(1, { kind: 'waiting', ms: 2_999, reason: 'Not worth a line' })
    tell(1, { kind: 'waiting', ms: 61_000, reason: 'It answered 503' })
    tell(1, { kind: 'file', name: 'a.json', state: 'skipped' })
    tell(1, { kind: 'file', name: 'b\u001b[2J.json', state: 'foreign' })
    expect(written).toEqual([
      'Loading all records',
      'Resuming the interrupted sync: records changed since the last sync',
      'It answered 503; waiting 1 min 1 s',
      'a.json: skipped, already read before the interruption',
      'b\\x1b[2J.json: skipped, it contains no CVE records',
    ])
  })

  it('print ten problems of each kind and the number of others, or all as JSON', () => {
    const [person, program] = [openReport(false), openReport(false, true)]
    for (const { tell, end } of [person, program]) {
      for (let number = 1; number <= 30; number += 1) {
        const message = `Cannot read CVE-2026-${1000 + number}: no date`
        tell(1, { kind: 'problem', source: 'a.json', message })
      }
      tell(1, { kind: 'problem', source: 'a.json', message: 'Cannot read CVE-2026-1: no id' })
      tell(1, { kind: 'file', name: 'a.json', state: 'done' })
      for (let number = 1; number <= 11; number += 1) {
        tell(1, { kind: 'problem', source: 'b.csv', message: `Cannot read line ${number}: no id` })
      }
      end()
      end()
    }
    expect(person.written).toHaveLength(23)
    expect(person.written.slice(8, 13)).toEqual([
      'a.json: Cannot read CVE-2026-1009: no date',
      'a.json: Cannot read CVE-2026-1010: no date',
      'a.json: Cannot read CVE-2026-1: no id',
      'a.json: Cannot read CVE-2026-1001: no date (and 20 more of this kind)',
      'b.csv: Cannot read line 1: no id',
    ])
    expect(person.written.at(-1)).toBe('b.csv: Cannot read line 1: no id (and 1 more of this kind)')
    expect(program.written).toHaveLength(43)
  })

  it('print at most a hundred problems of all kinds', () => {
    const { written, tell, end } = openReport(false)
    for (let number = 1; number <= 110; number += 1) {
      const message = `Problem ${'x'.repeat(number)}`
      tell(1, { kind: 'problem', source: 'a.json', message })
    }
    end()
    expect(written.slice(99)).toEqual([
      `a.json: Problem ${'x'.repeat(100)}`,
      'Further problems are not shown: use --json to list all',
    ])
  })

  it('are summarized at the end', () => {
    const load = { read: 9, added: 1, changed: 2, unchanged: 3, older: 0, removed: 0, total: 6 }
    expect([
      summarizeLoad({ ...load, generation: 1, ms: 1500 }, 'records'),
      summarizeLoad({ ...load, joined: 3, generation: 1, ms: 1500 }, 'records'),
      summarizeLoad({ ...load, older: 3, removed: 1, generation: 1, ms: 0 }, 'records'),
      summarizeLoad({ ...load, removed: 67, removedExamples: 67, generation: 1, ms: 0 }, 'records'),
    ]).toEqual([
      [
        '9 records read in 2 s: 1 added, 2 changed, 3 unchanged',
        '6 in total, including rejected records',
      ],
      [
        '9 records read in 2 s: 1 added, 3 joined to CVEs of the other source, 2 changed, 3 unchanged',
        '6 in total, including rejected records',
      ],
      [
        '9 records read in 0 s: 1 added, 2 changed, 3 unchanged, 3 older than the stored record, 1 removed',
        '6 in total, including rejected records',
      ],
      [
        '9 records read in 0 s: 1 added, 2 changed, 3 unchanged, 67 removed',
        '67 of the removed records were examples',
        '6 in total, including rejected records',
      ],
    ])
    expect([-1, 0, 59.1, 61, 3_600, 7_325].map(formatDuration)).toEqual([
      '0 s',
      '0 s',
      '1 min 0 s',
      '1 min 1 s',
      '1 h 0 min',
      '2 h 2 min',
    ])
  })
})
