import { describe, expect, it } from 'vitest'
import { checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import { collectPages } from '../conformance/storage/samples.ts'
import { makeFolder } from '../helpers/folder.ts'
import { runAndKill } from '../helpers/killed-child.ts'

/** `API_DISCOVERY_LONG=1` kills a hundred times, otherwise a few times. */
const KILLS = process.env.API_DISCOVERY_LONG === undefined ? 5 : 100

/** Number of endpoints per import of the child. */
const ENDPOINTS = 20

describe.each(['main thread', 'thread'])('a process that imports, writing in a %s', (mode) => {
  it(`loses no acknowledged import and leaves no partial one, killed ${KILLS} times`, async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    try {
      const acknowledged = new Set<number>()
      let first = 1
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Evenly spread times instead of random ones, so that every run is identical.
        const delay = 20 + ((kill * 37) % 121)
        for (const api of await importAndKill(file, { first, delay, mode })) acknowledged.add(api)
        first += 100_000
        expect(await checkSqlite(file)).toEqual([])
        await expectWhole(file, acknowledged)
      }
      console.log(
        `${KILLS} kills, ${acknowledged.size} acknowledged imports, none lost, none half there`,
      )
      expect(acknowledged.size > 0).toBe(true)
    } finally {
      await folder.remove()
    }
  }, 600_000)
})

/** Returns the numbers of the APIs whose import the child acknowledged before it was killed. */
async function importAndKill(
  file: string,
  options: { readonly first: number; readonly delay: number; readonly mode: string },
): Promise<readonly number[]> {
  const parameters = [file, String(options.first), options.mode]
  const lines = await runAndKill(new URL('kill-child.ts', import.meta.url), {
    parameters,
    delayMs: options.delay,
    // Imports take longest on Deno, beside other processes: some must have ended.
    events: 1,
  })
  return lines.map(Number)
}

async function expectWhole(file: string, acknowledged: ReadonlySet<number>): Promise<void> {
  const storage = await openSqlite({ file })
  try {
    const apis = await collectPages(storage.catalogue.listAddedApis({}))
    const names = new Set(apis.map(({ name }) => name))
    expect([...acknowledged].filter((api) => !names.has(`API ${api}`))).toEqual([])
    const endpoints = new Map<number, number>()
    for await (const page of storage.catalogue.listMatchTargets()) {
      for (const { apiId } of page) endpoints.set(apiId, (endpoints.get(apiId) ?? 0) + 1)
    }
    expect(apis.filter(({ id }) => endpoints.get(id) !== ENDPOINTS)).toEqual([])
    expect(endpoints.size).toBe(apis.length)
    const postings = await storage.catalogue.findPostings([{ text: 'term0', isPrefix: false }], {})
    expect(postings.length).toBe(apis.length)
    // One generation for the vendor and one for each import; none for lost imports.
    expect(await storage.catalogue.generation()).toBe(1 + apis.length)
  } finally {
    await storage.close()
  }
}
