import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../../core/app.ts'
import { parseBasePath, parsePublicUrl, stripPublicPath } from '../../../core/http/base-path.ts'

describe('a base path', () => {
  it('is the same with and without its final slash; the root is empty', () => {
    const texts = ['/api', '/api/', '/api//', '/a/b.c~d-e_f', '/', '']
    expect(texts.map(parseBasePath)).toEqual(['/api', '/api', '/api', '/a/b.c~d-e_f', '', ''])
  })

  it('must have a valid form', () => {
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

  it('is accepted with a final slash, and rejected at once if invalid', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const app = createApiDiscovery({ storage, basePaths: ['/api/'] })
    const asked = await app.fetch(new Request('http://service.test/api/categories'))
    expect(asked.status).toBe(401)
    const document = await app.fetch(new Request('http://service.test/api/openapi.json'))
    expect(await document.json()).toMatchObject({ servers: [{ url: '/api' }] })
    expect(() => createApiDiscovery({ storage, basePaths: ['api'] })).toThrow(
      new RangeError('Invalid base path "api": must look like /api'),
    )
    await app.close()
  })
})

describe('a public URL', () => {
  it('is an address, or only a path', () => {
    const texts = ['https://Tools.example:8443/discovery/', 'http://tools.example', '/a/b/', '/']
    expect(texts.map((text) => parsePublicUrl(text, ['/api']))).toEqual([
      { origin: 'https://tools.example:8443', path: '/discovery' },
      { origin: 'http://tools.example', path: '' },
      { origin: undefined, path: '/a/b' },
      { origin: undefined, path: '' },
    ])
    expect(parsePublicUrl(undefined, [])).toEqual({ origin: undefined, path: '' })
  })

  it('is rejected if invalid, or if it hides paths of the service', () => {
    const read = (text: string) => () => parsePublicUrl(text, ['/api', '/discovery/api'])
    for (const text of [
      'tools.example/discovery',
      'ftp://tools.example',
      'https://user:secret@tools.example/a',
      'https://tools.example/a?b=c',
      'https://tools.example/a#b',
      'https://tools.example/a%20b',
      '//tools.example',
    ]) {
      expect(read(text), text).toThrow('must look like https://tools.example/discovery')
    }
    for (const [text, own] of [
      ['/api', '/api'],
      ['https://tools.example/discovery', '/discovery/api'],
      ['/console/', '/console'],
      ['/images', '/images'],
      ['/api/vendors', '/api'],
      ['https://tools.example/console/assets', '/console'],
      ['/metrics', '/metrics'],
      ['/.well-known/x', '/.well-known'],
    ] as const) {
      expect(read(text), text).toThrow(
        `Invalid public URL "${text}": the service uses the path "${own}" itself. Choose another path or other base paths`,
      )
    }
    expect(parsePublicUrl('/apis', ['/api'])).toEqual({ origin: undefined, path: '/apis' })
  })

  it('is removed only as whole segments, and once', () => {
    const targets = ['/a/api/x?y=/a/', '/a', '/a?x', '/a/', '/ab/c', '/api/x', '/a/a/x', '*']
    expect(targets.map((target) => stripPublicPath(target, '/a'))).toEqual([
      '/api/x?y=/a/',
      '/',
      '/?x',
      '/',
      '/ab/c',
      '/api/x',
      '/a/x',
      '*',
    ])
    expect(stripPublicPath('/api/x', '')).toBe('/api/x')
  })
})
