import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { openTestService } from '../helpers/service.ts'

describe('a service', () => {
  it('limits requests at the same time, also where nothing else is limited', async () => {
    const { app, keys, close } = await openTestService({
      isEmpty: true,
      app: { requestLimits: { concurrency: 1 } },
    })
    const ask = () =>
      app.fetch(
        new Request('http://service.test/api/endpoint_list', { headers: { 'api-key': keys.all } }),
      )
    await (await ask()).text()
    const both = await Promise.all([ask(), ask()])
    expect(both.map(({ status }) => status)).toEqual([200, 429])
    expect(both[1]?.headers.get('ratelimit')).toBe('"concurrency";r=0')
    await Promise.all(both.map((response) => response.text()))
    await close()
  })

  it('answers with a new entity tag after every change in process', async () => {
    const { app, keys, caller, close } = await openTestService({ isEmpty: true })
    const request = () =>
      new Request('http://service.test/api/search/vendor', { headers: { 'api-key': keys.all } })
    const tags = []
    for (let count = 0; count < 20; count += 1) {
      const response = await app.fetch(request())
      tags.push([response.headers.get('etag'), JSON.parse(await response.text()).num_results])
      await app.call('createVendor', { body: { name: `Vendor ${count}` } }, caller)
    }
    expect(tags).toEqual(
      Array.from({ length: 20 }, (_, count) => [expect.stringMatching(`-c${count}-\\w+"$`), count]),
    )
    await close()
  })

  it('rejects invalid options from JavaScript with a sentence', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const create = createApiDiscovery as (options: object) => ApiDiscovery
    expect(() => create({ storage, basePaths: '/apis' })).toThrow(
      new TypeError('Invalid option "basePaths": must be a list of paths, such as ["/api"]'),
    )
    expect(() => create({ storage, basePath: ['/apis'] })).toThrow(
      /^Unknown option "basePath": createApiDiscovery accepts storage, basePaths, publicUrl, /,
    )
    const configuration = new (class {
      readonly storage = storage
      readonly port = 8080
    })()
    await create(configuration).close()
  })

  it('says in a sentence what a caller without types got wrong', async () => {
    const { app, caller, close } = await openTestService({ isEmpty: true })
    const call = app.call as (name: string, input: unknown, caller: unknown) => Promise<unknown>
    const cases: readonly (readonly [string, unknown, unknown, string])[] = [
      ['nothing', {}, caller, 'Cannot call "nothing": operation not found'],
      ['toString', {}, caller, 'Cannot call "toString": operation not found'],
      [
        'searchVendors',
        undefined,
        caller,
        'Cannot call searchVendors: its input must be an object',
      ],
      ['searchVendors', {}, undefined, 'Invalid caller: its account must be { id, name }'],
      [
        'searchVendors',
        {},
        { ...caller, scopes: 'read' },
        "Invalid caller: its scopes must be a list or a Set: ['read']",
      ],
    ]
    for (const [name, input, by, message] of cases) {
      await expect(call(name, input, by)).rejects.toEqual(new TypeError(message))
    }
    await close()
  })

  it('takes the scopes of a caller as a list or as a Set', async () => {
    const { app, caller, close } = await openTestService({ isEmpty: true })
    const { account } = caller
    for (const scopes of [['read'], new Set(['read'] as const)] as const) {
      const found = await app.call('searchVendors', {}, { account, scopes })
      expect(found.num_results).toBe(0)
    }
    await expect(
      app.call('createVendor', { body: { name: 'Acme' } }, { account, scopes: ['read'] }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await close()
  })

  it('refuses a form that holds the file twice', async () => {
    const { app, keys, close } = await openTestService()
    const form = new FormData()
    for (const name of ['a', 'b']) form.append('file', new Blob(['{}']), name)
    const headers = { 'api-key': keys.all, vendor: 'Pigeon', category: 'News & Media' }
    const request = { method: 'POST', headers, body: form }
    const response = await app.fetch(
      new Request('http://service.test/api/benchmark/upload_swagger', request),
    )
    expect(await response.json()).toMatchObject({
      status: 400,
      errors: [{ in: 'form', name: 'file', message: 'must be present only once' }],
    })
    await close()
  })
})
