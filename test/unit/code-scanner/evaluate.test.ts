import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinSegments, toText } from '../../../core/code-scanner/model/pattern.ts'
import { fillFormat } from '../../../core/code-scanner/resolve/fill-format.ts'
import { scanTypeScript, skipsSyntax } from './scan.ts'

/** Returns the last detected call. */
async function lastCall(text: string): Promise<string | undefined> {
  return (await scanTypeScript(text)).findLast((found) => found.includes(' call '))
}

describe.skipIf(skipsSyntax)('a value', () => {
  it.each([
    ['its last assignment', `let u = 'https://a.pay.net'; u = 'https://b.pay.net'; fetch(u)`, 'b'],
    ['an assignment that appends', `let u = 'https://c.pay.net'; u += '/x'; fetch(u)`, 'c'],
    [
      'no value of another branch',
      `let u = 'https://v.pay.net'; if (a) u = 'https://a.pay.net'; else fetch(u)`,
      'v',
    ],
    [
      'no value of another case',
      `let u = 'https://w.pay.net'; switch (a) { case 1: u = 'https://a.pay.net'; break; case 2: fetch(u) }`,
      'w',
    ],
    [
      'an inner name before an outer one',
      `const u = 'https://a.pay.net'; function f() { const u = 'https://d.pay.net'; fetch(u) }`,
      'd',
    ],
    [
      'a field of a parent class',
      `class A { base = 'https://e.pay.net' }\nclass B extends A { f() { fetch(this.base) } }`,
      'e',
    ],
    [
      'a getter',
      `class A { get url() { const host = 'f.pay.net'; return 'https://' + host }\n g() { fetch(this.url) } }`,
      'f',
    ],
    ['a default of destructuring', `function f({ url = 'https://g.pay.net' }) { fetch(url) }`, 'g'],
    [
      'a member of a spread record',
      `const a = { url: 'https://h.pay.net' }; const b = { ...a, x: 1 }; fetch(b.url)`,
      'h',
    ],
    [
      'the host before a URL in its path',
      `const page = 'https://n.shop.net/' + user; fetch(\`https://k.pay.net/save/\${page}/now\`)`,
      'k',
    ],
    ['a choice', `const u = isTest ? mock() : 'https://i.pay.net'; fetch(u)`, 'i'],
    [
      'what a function gives',
      `const url = (path) => 'https://j.pay.net' + path; fetch(url('/x'))`,
      'j',
    ],
    [
      'a nested member',
      `const c = { a: { b: { url: 'https://k.pay.net' } } }; const { a } = c; fetch(a.b.url)`,
      'k',
    ],
    [
      'a callback of a hook',
      `const send = useCallback((p) => fetch('https://l.pay.net' + p), [])\nsend('/x')`,
      'l',
    ],
    [
      'a client of a class',
      `class C { constructor() { this.http = axios.create({ baseURL: 'https://m.pay.net' }) }\n f() { return this.http.get('/x') } }`,
      'm',
    ],
    [
      'a choice with a sandbox',
      `const u = isTest ? 'https://test-api.pay.net' : 'https://o.pay.net'; fetch(u)`,
      'o',
    ],
    ['an axios default', `axios.defaults.baseURL = 'https://n.pay.net'\naxios.get('/x')`, 'n'],
  ])('is found through %s', async (_, text, host) => {
    expect((await lastCall(text))?.replace(/\/\w*$/, '')).toMatch(
      new RegExp(`call get https://${host}\\.pay\\.net`),
    )
  })

  it('ends where it is made of itself', async () => {
    const text = `let a = b + '/x'; let b = a + '/y'; fetch(a); const c = { c }; fetch(c.c.c)`
    expect(await scanTypeScript(text)).toEqual([])
  })

  it('ends where each name doubles the one before', async () => {
    const lines = Array.from({ length: 10 }, (_, n) => `const a${n + 1} = a${n} + '/' + a${n}`)
    const text = [`const a0 = 'https://api.pay.net'`, ...lines, 'fetch(a10)'].join('\n')
    expect(await lastCall(text)).toMatch(/^12 call get https:\/\/api\.pay\.net/)
  })

  it('ends where one name is given a thousand values of itself', async () => {
    const lines = Array.from({ length: 1000 }, () => 'url = sign(url + next(url), url)')
    const text = [`let url = 'https://api.pay.net/v1'`, ...lines, 'fetch(url)'].join('\n')
    expect((await scanTypeScript(text)).length).toBeGreaterThan(0)
  })

  it('is found after names that are bound to their own members', async () => {
    const lines = ['let p = x', 'p = p.a || p.b', 'p = p.c || p.d', 'new Price({ url: p.url })']
    const text = [...lines, `const base = 'https://api.pay.net'`, 'fetch(base + "/v1")'].join('\n')
    expect(await lastCall(text)).toMatch(/^6 call get https:\/\/api\.pay\.net/)
  })

  it('ends where brackets nest without end', async () => {
    const text = `fetch(${'('.repeat(5000)}'https://api.pay.net/v1'${')'.repeat(5000)})`
    expect(await scanTypeScript(text)).toEqual(expect.any(Array))
  })
})

describe('a format', () => {
  it.each([
    ['https://%s.pay.net/%d', ['a', '1'], {}, 'https://a.pay.net/1'],
    ['https://pay.net/%2$s/%1$s', ['a', 'b'], {}, 'https://pay.net/b/a'],
    ['https://pay.net/{}/{}', ['a'], {}, 'https://pay.net/a/{}'],
    ['https://pay.net/{1}/{0}', ['a', 'b'], {}, 'https://pay.net/b/a'],
    ['https://pay.net/{id}/{other}', [], { id: 'a' }, 'https://pay.net/a/{}'],
    ['https://pay.net/%(id)s', [], { id: 'a' }, 'https://pay.net/a'],
    ['https://pay.net/{+id*}{?page,size}{&sort}', [], { id: 'a/b' }, 'https://pay.net/a/b'],
    ['https://pay.net/:id/x', [], { id: 'a' }, 'https://pay.net/a/x'],
    ['100%%/%s', ['a'], {}, '100%/a'],
  ])('fills %s', (format, values, named, filled) => {
    expect(fillFormat(format, { values, named })).toBe(filled)
  })
})

describe('a pattern', () => {
  it.each([
    ['https://pay.net/$' + '{id}/:user/{x}/<int:y>', 'https://pay.net/{}/{}/{}/{}'],
    ['https://pay.net/%s/%7Eme/%20', 'https://pay.net/{}/%7Eme/%20'],
    ['https://pay.net/{{ id }}/#{x}', 'https://pay.net/{}/{}'],
  ])('is %s as a text with holes', (pattern, text) => {
    expect(toText(pattern)).toBe(text)
  })

  it('has one slash between two segments, whatever they end with', () => {
    const segment = fc.stringMatching(/^\/{0,2}[a-z]{1,5}\/{0,2}$/)
    fc.assert(
      fc.property(fc.array(segment, { minLength: 2, maxLength: 5 }), (segments) => {
        const joined = joinSegments(['https://pay.net/', ...segments])
        const names = segments.map((one) => one.replaceAll('/', ''))
        expect(toText(joined).replace(/\/+$/, '')).toBe(`https://pay.net/${names.join('/')}`)
      }),
      { seed: 5, numRuns: 200 },
    )
  })
})
