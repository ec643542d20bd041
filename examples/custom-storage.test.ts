import { openSqlite } from 'api-discovery/sqlite'
import { describeStorage } from 'api-discovery/testing'
import { watchStorage } from './custom-storage.ts'

describeStorage('A watched storage', {
  async open() {
    const sqlite = await openSqlite({ file: ':memory:' })
    const storage = watchStorage(sqlite, { slowMs: 1_000, tell: () => undefined })
    return { storage, close: () => storage.close() }
  },
})
