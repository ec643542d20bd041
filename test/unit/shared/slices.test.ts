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

  it('fails as the work does', async () => {
    const fail = function* (): SlicedWork<never> {
      yield
      throw new RangeError('Enough')
    }
    expect(() => runAtOnce(fail())).toThrow('Enough')
    await expect(runInSlices(fail())).rejects.toThrow('Enough')
  })
})
