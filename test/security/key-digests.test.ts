import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/index.ts'
import { hash53 } from '../../core/shared/ids.ts'

describe('paths with the same digest', () => {
  const [first, second] = ['/CGKTu63WM', '/QNzDhU68O'] as const

  it('are rejected with a reason, together and one after the other', async () => {
    const app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }) })
    const importPaths = (...paths: readonly string[]) =>
      app.imports.importDescription({
        bytes: new TextEncoder().encode(
          JSON.stringify({
            openapi: '3.1.0',
            info: { title: 'Twins', version: '1.0.0' },
            paths: Object.fromEntries(
              paths.map((path) => [path, { get: { responses: { 200: { description: 'OK' } } } }]),
            ),
          }),
        ),
        vendorName: 'Twins',
        createVendor: true,
        isPublic: true,
      })
    const refused = {
      code: 'conflict',
      message: `Cannot import the API: "get ${first}" and "get ${second}" have the same internal hash. Rename one of these endpoints`,
    }

    expect(hash53(`get ${first}`)).toBe(hash53(`get ${second}`))
    await expect(importPaths(first, second)).rejects.toMatchObject(refused)
    expect(await importPaths(first)).toMatchObject({ report: { added: 1 } })
    await expect(importPaths(first, second)).rejects.toMatchObject(refused)
    expect(await importPaths(second)).toMatchObject({ report: { added: 1, removed: 1 } })
    await app.close()
  })
})
