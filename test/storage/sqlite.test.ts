import { describe } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { describeStorage } from '../conformance/storage.ts'
import { makeFolder } from '../helpers/folder.ts'
import { isFull, someOf } from '../helpers/runs.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'
import { createTestClock } from '../helpers/test-clock.ts'

const texts = someOf(readNaughtyStrings())

describeStorage('SQLite in a file', {
  texts,
  async open() {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const { now: clock, advance } = createTestClock()
    const storage = await openSqlite({ file, clock })
    return {
      storage,
      reopen: () => openSqlite({ file, clock }),
      advance,
      async close() {
        await storage.close()
        await folder.remove()
      },
    }
  },
})

describe.runIf(isFull)('without a file', () =>
  describeStorage('SQLite in memory', {
    async open() {
      const { now: clock, advance } = createTestClock()
      const storage = await openSqlite({ file: ':memory:', clock })
      return { storage, advance, close: () => storage.close() }
    },
  }),
)
