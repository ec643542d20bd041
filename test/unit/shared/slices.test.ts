import { describe, expect, it } from 'vitest'
import { runAtOnce, runInSlices, type SlicedWork } from '../../../core/shared/slices.ts'

function* spin(times: number, ms: number): SlicedWork<number> {
  for (let count = 0; count < times; count += 1) {
    for (const end = performance.now() + ms; performance.now() < end; );
    yield
  }
  return times
}

describe('sliced work', () => {
  it('is done at once, or with turns for others between, with the same result', async () => {
    expect(runAtOnce(spin(3, 0))).toBe(3)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    expect(await runInSlices(spin(20, 5))).toBe(20)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })

  it('resumes one of many works in each turn of the event loop', async () => {
    let turn = 0
    let isDone = false
    const countTurn = () => {
      turn += 1
      if (!isDone) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    const resumedIn: number[] = []
    const work = function* (): SlicedWork<void> {
      yield* spin(1, 12)
      resumedIn.push(turn)
      yield* spin(1, 12)
      resumedIn.push(turn)
    }
    await Promise.all(Array.from({ length: 8 }, () => runInSlices(work())))
    isDone = true
    expect(resumedIn).toHaveLength(16)
    expect(new Set(resumedIn).size).toBe(16)
  })

  it('fails as the work does', async () => {
    const fail = function* (): SlicedWork<never> {
      yield
      throw new RangeError('Enough')
    }
    expect(() => runAtOnce(fail())).toThrow('Enough')
    await expect(runInSlices(fail())).rejects.toThrow('Enough')
  })
})
