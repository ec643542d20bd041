import { describe, expect, it } from 'vitest'
import { planRun } from '../../../../core/vulnerabilities/schedule/scheduled-syncs.ts'
import type { SyncRun } from '../../../../core/vulnerabilities/schedule/sync-history.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const NOW = Date.UTC(2026, 10, 27, 12)

/** Every day at 03:00 UTC. */
function nextRun(from: number): number {
  const shift = 3 * HOUR_MS
  return (Math.floor((from - shift) / DAY_MS) + 1) * DAY_MS + shift
}

function toRun(run: Partial<SyncRun> = {}): SyncRun {
  return { id: 1, state: 'done', startedAt: NOW, endedAt: NOW, results: [], ...run }
}

function plan(runs: readonly SyncRun[], now = NOW): number | undefined {
  return planRun(runs, { now, nextRun })
}

/** Failed runs, newest first; the newest ended at `endedAt`. */
function failRuns(count: number, endedAt = NOW): readonly SyncRun[] {
  return Array.from({ length: count }, (_, index) =>
    toRun({ id: count - index, state: 'failed', endedAt: endedAt - index }),
  )
}

describe('planRun', () => {
  it('starts at once if there was no run', () => {
    expect(plan([])).toBe(NOW)
  })

  it('starts at the first regular time after a success', () => {
    const startedAt = Date.UTC(2026, 10, 27, 3, 0, 1)
    expect(plan([toRun({ startedAt, endedAt: startedAt + HOUR_MS })])).toBe(
      Date.UTC(2026, 10, 28, 3),
    )
  })

  it('is due at a restart if a regular time was missed', () => {
    const startedAt = Date.UTC(2026, 10, 25, 3)
    expect(plan([toRun({ startedAt, endedAt: startedAt })])).toBe(Date.UTC(2026, 10, 26, 3))
  })

  it('retries after failures with a growing delay, then waits for the regular time', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map(
      (count) => (Number(plan(failRuns(count))) - NOW) / MINUTE_MS,
    )
    const bounds = [5, 10, 20, 40, 80, 160]
    for (const [index, bound] of bounds.entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(bound / 2)
      expect(delays[index]).toBeLessThan(bound)
    }
    expect(delays[6]).toBe(15 * 60)
  })

  it('retries six times after each regular time, however often it failed before', () => {
    const starts: number[] = []
    let runs: readonly SyncRun[] = []
    for (let at = NOW; at < NOW + 10 * DAY_MS; at = Number(plan(runs, at))) {
      starts.push(at)
      const run = toRun({ id: starts.length, state: 'failed', startedAt: at, endedAt: at + 1 })
      runs = [run, ...runs].slice(0, 20)
    }
    const days = Array.from({ length: 9 }, (_, index) => nextRun(NOW) + index * DAY_MS)
    expect(days.map((day) => starts.filter((at) => at >= day && at < day + DAY_MS).length)).toEqual(
      days.map(() => 7),
    )
  })

  it('varies the delay by the run, and repeats it exactly', () => {
    const [one, other] = [failRuns(1), failRuns(1, NOW - 1)]
    expect(plan(one)).toBe(plan(one, NOW + MINUTE_MS))
    expect(Number(plan(one)) - NOW).not.toBe(Number(plan(other)) - (NOW - 1))
  })

  it('counts failures since the last success only', () => {
    const runs = [...failRuns(1), toRun({ endedAt: NOW - HOUR_MS }), ...failRuns(3, NOW - DAY_MS)]
    expect(plan(runs)).toBe(plan(failRuns(1)))
  })

  it('does not retry later than the next regular time', () => {
    const endedAt = Date.UTC(2026, 10, 28, 2, 59)
    expect(plan(failRuns(5, endedAt), endedAt)).toBe(Date.UTC(2026, 10, 28, 3))
  })

  it('repeats a run soon while another process was loading', () => {
    const results = [{ source: 'nvd', state: 'busy', message: 'Another load is running' }] as const
    const at = Number(plan([toRun({ results }), ...failRuns(4)]))
    expect(at - NOW).toBeGreaterThanOrEqual(5 * MINUTE_MS)
    expect(at - NOW).toBeLessThan(10 * MINUTE_MS)
  })

  it('waits for the regular time after a run was cancelled', () => {
    expect(plan([toRun({ state: 'aborted' })])).toBe(Date.UTC(2026, 10, 28, 3))
  })

  it('does not wait longer if the clock was set back', () => {
    const later = NOW + 400 * DAY_MS
    expect(plan([toRun({ startedAt: later, endedAt: later })])).toBe(Date.UTC(2026, 10, 28, 3))
    expect(Number(plan([toRun({ state: 'failed', endedAt: later })])) - NOW).toBeLessThan(HOUR_MS)
  })

  it('has no next run if the schedule has none', () => {
    expect(planRun([toRun()], { now: NOW, nextRun: () => undefined })).toBeUndefined()
  })
})
