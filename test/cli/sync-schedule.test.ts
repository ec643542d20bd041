import { describe, expect, it } from 'vitest'
import { parseSyncSchedule } from '../../adapters/cli/serve-sync.ts'

const SECRET = new Uint8Array(32).fill(1)

function listStarts(text: string, from: string, count: number): readonly (string | undefined)[] {
  const { nextRun } = parseSyncSchedule(text, SECRET)
  const starts: (string | undefined)[] = []
  let at: number | undefined = Date.parse(from)
  for (let index = 0; index < count && at !== undefined; index += 1) {
    at = nextRun(at)
    starts.push(at === undefined ? undefined : new Date(at).toISOString())
  }
  return starts
}

describe('parseSyncSchedule', () => {
  it('derives the minute of "daily" from the secret', () => {
    const secrets = Array.from({ length: 200 }, (_, index) => new Uint8Array(32).fill(index))
    const all = secrets.map((secret) => parseSyncSchedule('daily', secret).expression)
    expect(parseSyncSchedule('daily', SECRET).expression).toBe(all[1])
    for (const expression of all) expect(expression).toMatch(/^[1-5]?\d (1?\d|2[0-3]) \* \* \*$/)
    expect(new Set(all).size).toBeGreaterThan(150)
  })

  it('starts once a day, in UTC, also when clocks change', () => {
    const expected = ['2026-03-28', '2026-03-29', '2026-03-30'].map((day) => `${day}T02:30:00.000Z`)
    expect(listStarts('30 2 * * *', '2026-03-28T00:00:00Z', 3)).toEqual(expected)
  })

  it('starts strictly after the given time', () => {
    expect(listStarts('0 */6 * * *', '2026-11-27T06:00:00Z', 2)).toEqual([
      '2026-11-27T12:00:00.000Z',
      '2026-11-27T18:00:00.000Z',
    ])
    expect(listStarts('0 4 * * MON', '2026-11-27T06:00:00Z', 1)).toEqual([
      '2026-11-30T04:00:00.000Z',
    ])
  })

  it.each([
    ['weekly', 'it must be "daily" or five cron fields'],
    ['@hourly', 'it must be "daily" or five cron fields'],
    ['0 0 3 * * *', 'it must be "daily" or five cron fields'],
    ['0 25 * * *', 'Cannot schedule syncs by "0 25 * * *"'],
    ['* * * * *', 'starts must be at least an hour apart'],
    ['0,30 3 * * 1', 'starts must be at least an hour apart'],
    ['0 0 31 2 *', 'it has no start'],
  ])('rejects "%s"', (text, reason) => {
    expect(() => parseSyncSchedule(text, SECRET)).toThrow(reason)
  })
})
