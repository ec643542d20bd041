import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { describeStorage } from '../conformance/storage.ts'
import { makeFolder } from '../helpers/folder.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'

const texts = readNaughtyStrings()

describeStorage('SQLite in a file', {
  texts,
  async open() {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const storage = await openSqlite({ file })
    return {
      storage,
      reopen: () => openSqlite({ file }),
      async close() {
        await storage.close()
        await folder.remove()
      },
    }
  },
})

describeStorage('SQLite in memory', {
  async open() {
    const storage = await openSqlite({ file: ':memory:' })
    return { storage, close: () => storage.close() }
  },
})
