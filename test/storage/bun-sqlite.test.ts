import { copyFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { describeStorage } from '../conformance/storage.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { someOf } from '../helpers/runs.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'
import { createTestClock } from '../helpers/test-clock.ts'

if (process.versions.bun === undefined) {
  describe('bun:sqlite as a storage', () => {
    it('is tested only on Bun', (context) => context.skip('bun:sqlite is a part of Bun'))
  })
} else {
  const { openBunSqlite } = await import('../../adapters/storage/bun-sqlite.ts')
  /** An empty database with our schema. */
  let ready: TestFolder
  beforeAll(async () => {
    ready = await makeFolder()
    const storage = await openBunSqlite({ file: ready.pathOf('ready.db') })
    await storage.close()
  })
  afterAll(() => ready.remove())
  describeStorage('bun:sqlite', {
    texts: someOf(readNaughtyStrings(), 2),
    async open() {
      const folder = await makeFolder()
      const file = folder.pathOf('catalogue.db')
      await copyFile(ready.pathOf('ready.db'), file)
      const { now: clock, advance } = createTestClock()
      const storage = await openBunSqlite({ file, clock })
      return {
        storage,
        reopen: () => openBunSqlite({ file, clock }),
        advance,
        async close() {
          await storage.close()
          await folder.remove()
        },
      }
    },
  })
}
