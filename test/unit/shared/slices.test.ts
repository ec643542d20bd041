import { describe, expect, it } from 'vitest'
import {
  createTimeSlices,
  runInTimeSlices,
  runSynchronously,
  type SteppedWork,
  sortInTimeSlices,
} from '../../../core/shared/time-slices.ts'

describe('sortInSlices', () => {
  it.each([0, 1, 999, 1000, 1001, 5500])('sorts %d items, with yields between', (count) => {
    const items = Array.from({ length: count }, (_, at) => (at * 7919) % 10_007)
    const work = sortInTimeSlices(items, (a, b) => a - b)
    let pauses = 0
    let step = work.next()
    for (; !step.done; step = work.next()) pauses += 1
    expect(step.value).toEqual(items.toSorted((a, b) => a - b))
    expect(pauses).toBeGreaterThanOrEqual(Math.ceil(count / 1000))
  })
})

function* spin(times: number, ms: number): SteppedWork<number> {
  for (let count = 0; count < times; count += 1) {
    for (const end = performance.now() + ms; performance.now() < end; );
    yield
  }
  return times
}

describe('sliced work', () => {
  it('runs at once or in time slices, with the same result', async () => {
    expect(runSynchronously(spin(3, 0))).toBe(3)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    expect(await runInTimeSlices(spin(20, 5))).toBe(20)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })

  it('resumes one of many tasks in each turn of the event loop', async () => {
    let turn = 0
    let isDone = false
    const countTurn = () => {
      turn += 1
      if (!isDone) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    const resumedIn: number[] = []
    const work = function* (): SteppedWork<void> {
      yield* spin(1, 12)
      resumedIn.push(turn)
      yield* spin(1, 12)
      resumedIn.push(turn)
    }
    await Promise.all(Array.from({ length: 8 }, () => runInTimeSlices(work())))
    isDone = true
    expect(resumedIn).toHaveLength(16)
    expect(new Set(resumedIn).size).toBe(16)
  })

  it('fails like its work', async () => {
    const fail = function* (): SteppedWork<never> {
      yield
      throw new RangeError('Enough')
    }
    expect(() => runSynchronously(fail())).toThrow('Enough')
    await expect(runInTimeSlices(fail())).rejects.toThrow('Enough')
  })
})

describe('short tasks that start in one turn', () => {
  it('share one time slice: the rest wait for their own turns', async () => {
    let time = 0
    const due: (() => void)[] = []
    const { createYieldIfDue } = createTimeSlices({
      now: () => time,
      schedule: (next) => void due.push(next),
    })
    const start = async () => {
      const pause = createYieldIfDue()
      for (let step = 0; step < 6; step += 1) {
        const turn = pause()
        if (turn) await turn
        time += 1
      }
    }
    const works = Array.from({ length: 20 }, start)
    const taken = [time]
    while (due.length > 0) {
      const startedAt = time
      for (const next of due.splice(0)) next()
      for (let hop = 0; hop < 20; hop += 1) await Promise.resolve()
      taken.push(time - startedAt)
    }
    await Promise.all(works)
    expect(time).toBe(120)
    expect(Math.max(...taken)).toBe(10)
  })
})

describe('many endless tasks', () => {
  /** Starts endless tasks with steps of one millisecond. The test runs the event loop itself. */
  function start(count: number) {
    let time = 0
    const due: (() => void)[] = []
    const { createYieldIfDue } = createTimeSlices({
      now: () => time,
      schedule: (next) => void due.push(next),
    })
    const steps: number[] = new Array(count).fill(0)
    function* work(index: number): SteppedWork<void> {
      for (;;) {
        time += 1
        steps[index] = (steps[index] ?? 0) + 1
        yield
      }
    }
    for (let index = 0; index < count; index += 1)
      void runInTimeSlices(work(index), createYieldIfDue())
    /** Runs one turn of the event loop. Returns the time that the tasks used. */
    async function turn(): Promise<number> {
      const startedAt = time
      for (const next of due.splice(0)) next()
      for (let hop = 0; hop < 20; hop += 1) await Promise.resolve()
      return time - startedAt
    }
    return { turn, steps }
  }

  it.each([1, 2, 200])(
    'get at most one time slice in each turn, together: %i of them',
    async (count) => {
      const { turn } = start(count)
      const taken: number[] = []
      for (let index = 0; index < 3 * count; index += 1) taken.push(await turn())
      expect(Math.max(...taken)).toBeLessThanOrEqual(10)
      expect(Math.min(...taken)).toBeGreaterThan(0)
    },
  )

  it('get equal shares', async () => {
    const { turn, steps } = start(50)
    const before = [...steps]
    for (let index = 0; index < 5 * 50; index += 1) await turn()
    const gained = steps.map((each, index) => each - (before[index] ?? 0))
    expect(new Set(gained)).toEqual(new Set([50]))
  })
})
