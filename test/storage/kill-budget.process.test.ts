import { describe, expect, it } from 'vitest'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { ADA } from '../conformance/storage/gateway-samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'

/** `API_DISCOVERY_LONG=1` kills two processes a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 2 : 100

const BUDGET = 10_000

/** Maximum of one request, and thus of the calls lost when a child is killed before it reports. */
const MOST_WANTED = 40

describe('two processes that share a budget', () => {
  it(`get exactly ${BUDGET} calls together`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    await (await openSqlite({ file })).close()
    const taken = await takeAndKill(file, { day: '2026-03-14', delays: [60_000, 60_000] })
    expect(sum(taken.flat())).toBe(BUDGET)
    expect(await takeRest(file, '2026-03-14')).toBe(0)
    console.log(`of ${BUDGET} calls, two processes got ${taken.map(sum).join(' and ')}`)
    await folder.remove()
  }, 300_000)

  it(`retain acknowledged calls, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    await (await openSqlite({ file })).close()
    let toldInAll = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const day = new Date(Date.UTC(2026, 0, 1 + kill)).toISOString().slice(0, 10)
      // Evenly spread times instead of random ones, so that every run is identical.
      const delays = [50 + ((kill * 37) % 121), 50 + ((kill * 53) % 121)]
      const told = sum((await takeAndKill(file, { day, delays })).flat())
      const rest = await takeRest(file, day)
      toldInAll += told
      expect(BUDGET - rest - told >= 0).toBe(true)
      expect(BUDGET - rest - told <= 2 * MOST_WANTED).toBe(true)
      expect(await checkSqlite(file)).toEqual([])
    }
    expect(toldInAll > 0).toBe(true)
    await folder.remove()
  }, 600_000)
})

/** Returns the calls that each of two children reported. */
function takeAndKill(
  file: string,
  options: { readonly day: string; readonly delays: readonly number[] },
): Promise<readonly (readonly number[])[]> {
  const script = new URL('kill-budget-child.ts', import.meta.url)
  const parameters = [file, options.day, String(BUDGET)]
  return Promise.all(
    options.delays.map(async (delayMs) =>
      (await runAndKill(script, { parameters, delayMs })).map(Number),
    ),
  )
}

/** Takes all remaining calls. */
async function takeRest(file: string, day: string): Promise<number> {
  const storage = await openSqlite({ file })
  try {
    const request = { keyId: 'key1', day, wanted: BUDGET, budget: BUDGET }
    return await storage.gateway.takeCalls(ADA, request)
  } finally {
    await storage.close()
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
