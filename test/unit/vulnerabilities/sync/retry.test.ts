import { describe, expect, it } from 'vitest'
import { parseNvdCheckpoint } from '../../../../core/vulnerabilities/sync/nvd-checkpoint.ts'
import { parseRetryAfter, toBackOff } from '../../../../core/vulnerabilities/sync/retry.ts'
import { sleep } from '../../../../core/vulnerabilities/sync/sleep.ts'
import { NOW } from './support.ts'

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sat, 14 Mar 2026 08:01:00 GMT', 60_000],
    ['Saturday, 14-Mar-26 08:01:00 GMT', 60_000],
    ['Sat, 14 Mar 2026 07:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Sat, never', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('parses %j as %s ms', (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms)
  })
})

describe('toBackOff', () => {
  it('returns a random time below a bound that doubles up to five minutes', () => {
    const most = (length: number) => new Uint8Array(length).fill(255)
    const least = (length: number) => new Uint8Array(length)
    const counts = [1, 2, 3, 4, 5, 6, 7, 50]
    expect(counts.map((count) => Math.round(toBackOff(count, most) / 1000))).toEqual([
      6, 12, 24, 48, 96, 192, 300, 300,
    ])
    expect(counts.map((count) => toBackOff(count, least))).toEqual(counts.map(() => 0))
  })
})

describe('parseNvdCheckpoint', () => {
  it.each([
    undefined,
    '',
    'x',
    'null',
    '[]',
    '{}',
    '{"version":2,"phase":"done","until":1}',
    '{"version":1,"phase":"done","until":"1"}',
    '{"version":1,"phase":"other","until":1}',
    '{"version":1,"phase":"full","from":1,"until":1,"next":-1,"seam":[]}',
    '{"version":1,"phase":"full","from":1,"until":1,"next":1,"seam":[1]}',
    '{"version":1,"phase":"window","from":1,"until":1,"next":1.5,"seam":[]}',
  ])('returns undefined for %j', (text) => {
    expect(parseNvdCheckpoint(text)).toBeUndefined()
  })
})

describe('sleep', () => {
  it('rejects with the reason of its signal, at once if already aborted', async () => {
    const reason = new Error('enough')
    const ending = new AbortController()
    const pause = sleep(60_000, ending.signal)
    ending.abort(reason)
    await expect(pause).rejects.toBe(reason)
    await expect(sleep(60_000, ending.signal)).rejects.toBe(reason)
    await expect(sleep(1)).resolves.toBeUndefined()
  })
})
