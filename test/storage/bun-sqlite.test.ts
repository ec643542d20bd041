import { describe, it } from 'vitest'
import { describeStorage } from '../conformance/storage.ts'
import { makeFolder } from '../helpers/folder.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'

if (process.versions.bun === undefined) {
  describe('bun:sqlite as a storage', () => {
    it('is tried on Bun only', (context) => context.skip('bun:sqlite is a part of Bun'))
  })
} else {
  const { openBunSqlite } = await import('../../adapters/storage/bun-sqlite.ts')
  describeStorage('bun:sqlite', {
    texts: readNaughtyStrings(),
    async open() {
      const folder = await makeFolder()
      const file = folder.pathOf('catalogue.db')
      const storage = await openBunSqlite({ file })
      return {
        storage,
        reopen: () => openBunSqlite({ file }),
        async close() {
          await storage.close()
          await folder.remove()
        },
      }
    },
  })
}
