import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { describeStorage } from '../conformance/storage.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { readNaughtyStrings } from '../helpers/shared-data.ts'

let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

describeStorage('PostgreSQL', {
  texts: readNaughtyStrings(),
  async open() {
    const url = await server.createDatabase()
    const storage = await openPostgres({ url })
    return { storage, reopen: () => openPostgres({ url }), close: () => storage.close() }
  },
})
