import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import { parseBasePath } from '../../../core/http/base-path.ts'

describe('a base path', () => {
  it('is the same with and without its final slash; the root is empty', () => {
    const texts = ['/api', '/api/', '/api//', '/a/b.c~d-e_f', '/', '']
    expect(texts.map(parseBasePath)).toEqual(['/api', '/api', '/api', '/a/b.c~d-e_f', '', ''])
  })

  it('must look like one', () => {
    for (const text of [
      'api',
      'https://a.example/api',
      '/a b',
      '/a//b',
      '/a?b',
      '/a%2fb',
      '/:id',
    ]) {
      expect([text, parseBasePath(text)]).toEqual([text, undefined])
    }
  })

  it('is understood with a final slash, and refused at once when it is none', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const app = createApiDiscovery({ storage, basePaths: ['/api/'] })
    const asked = await app.fetch(new Request('http://service.test/api/categories'))
    expect(asked.status).toBe(401)
    const document = await app.fetch(new Request('http://service.test/api/openapi.json'))
    expect(await document.json()).toMatchObject({ servers: [{ url: '/api' }] })
    expect(() => createApiDiscovery({ storage, basePaths: ['api'] })).toThrow(
      new RangeError('Cannot use the base path "api": it must look like /api'),
    )
    await app.close()
  })
})
