import { copyFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { describeStorage } from '../conformance/storage.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { isFull, someOf } from '../helpers/runs.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'
import { createTestClock } from '../helpers/test-clock.ts'

const texts = someOf(readNaughtyStrings())

/** An empty database with our schema: copying it takes a third of the time of creating one. */
let ready: TestFolder

beforeAll(async () => {
  ready = await makeFolder()
  const storage = await openSqlite({ file: ready.pathOf('ready.db') })
  await storage.close()
})

afterAll(() => ready.remove())

describeFile('SQLite in a file', false)

describe.runIf(isFull)('without a file', () =>
  describeStorage('SQLite in memory', {
    async open() {
      const { now: clock, advance } = createTestClock()
      const storage = await openSqlite({ file: ':memory:', clock })
      return { storage, advance, close: () => storage.close() }
    },
  }),
)

describe.runIf(isFull)('in a thread', () => describeFile('SQLite written in a thread', true))

function describeFile(name: string, writeInThread: boolean): void {
  describeStorage(name, {
    texts,
    async open() {
      const folder = await makeFolder()
      const file = folder.pathOf('catalogue.db')
      await copyFile(ready.pathOf('ready.db'), file)
      const { now: clock, advance } = createTestClock()
      const storage = await openSqlite({ file, clock, writeInThread })
      return {
        storage,
        reopen: () => openSqlite({ file, clock, writeInThread }),
        advance,
        async close() {
          await storage.close()
          await folder.remove()
        },
      }
    },
  })
}
