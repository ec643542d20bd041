import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import { createLiveMatcher } from '../../../core/catalogue/live-matcher.ts'

describe('a matcher that follows the catalogue', () => {
  it('includes all imports before the call, and runs one build at a time', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const app = createApiDiscovery({ storage })
    let builds = 0
    let most = 0
    const matcher = createLiveMatcher({
      generation: () => storage.catalogue.generation(),
      async *listMatchTargets() {
        builds += 1
        most = Math.max(most, builds)
        await new Promise((resolve) => setTimeout(resolve, 5))
        yield* storage.catalogue.listMatchTargets()
        builds -= 1
      },
    })
    const toUrl = (number: number) => `https://api${number}.acme.example/things`
    const importApi = (number: number) =>
      app.imports.importDescription({
        bytes: new TextEncoder().encode(
          JSON.stringify({
            openapi: '3.0.0',
            info: { title: `API ${number}`, version: '1' },
            servers: [{ url: `https://api${number}.acme.example` }],
            paths: { '/things': { get: {} } },
          }),
        ),
        vendorName: 'Acme',
        createVendor: true,
        isPublic: true,
      })
    expect(await matcher.match({ method: 'GET', url: toUrl(0) })).toBeUndefined()
    const matches: Promise<string | undefined>[] = []
    for (let number = 0; number < 10; number += 1) {
      await importApi(number)
      const match = matcher.match({ method: 'GET', url: toUrl(number) })
      matches.push(match.then((found) => found?.apiName))
    }
    expect(await Promise.all(matches)).toEqual(
      Array.from({ length: 10 }, (_, number) => `API ${number}`),
    )
    expect(most).toBe(1)
    await app.close()
  })
})
