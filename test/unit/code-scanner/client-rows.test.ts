import { describe, expect, it } from 'vitest'
import { parseClients } from '../../../core/code-scanner/clients/parse-clients.ts'

const named = (at: number, name: string) => ({ at, name })

describe('rows of client libraries', () => {
  it('take the method from the name, from the word before the row, or from a parameter', () => {
    const rows = `
      acme.{Get|postForm}(url)
      POST acme.send(url)
      acme.call(method, url)
      GET acme.run(url, method)
      acme.open(url)
    `
    const url = named(0, 'url')
    const second = named(1, 'url')
    expect(parseClients([{ rows }])).toEqual([
      { callee: 'acme.Get', method: 'get', url },
      { callee: 'acme.postForm', method: 'post', url },
      { callee: 'acme.send', method: 'post', url },
      { callee: 'acme.call', method: named(0, 'method'), url: second },
      { callee: 'acme.run', method: named(1, 'method'), defaultMethod: 'get', url },
      { callee: 'acme.open', method: { name: '' }, url },
    ])
  })

  it('name parameters, members of records and arguments that a call makes', () => {
    const rows = `
      GET acme.a(file, target: url)
      GET acme.b(*, endpoint: url)
      GET acme.c({ request: { uri: url, method } })
      GET acme.d(new {Request|Req}(url, { method }))
      GET acme.e(url | Request(*, method))
    `
    const [a, b, c, d, e] = parseClients([{ rows }])
    expect(a?.url).toEqual({ at: 1, name: 'target' })
    expect(b?.url).toEqual({ name: 'endpoint' })
    expect(c?.url).toEqual({ at: 0, key: 'request.uri' })
    expect(c?.method).toEqual({ at: 0, key: 'request.method' })
    const made = { 'new Request': { at: 1, key: 'method' }, 'new Req': { at: 1, key: 'method' } }
    expect(d?.method).toEqual({ at: 0, madeBy: made })
    expect(e?.url).toEqual(named(0, 'url'))
    expect(e?.method).toEqual({ at: 0, madeBy: { Request: { name: 'method' } } })
  })

  it('join receivers by the place of their base, and fields and calls that set one', () => {
    const rules = parseClients([
      {
        from: 'acme, acme/http',
        receiver: 'new Acme{|Client}({ baseURL: base }), acme.connect(base)',
        with: '.setHost(base), origin = base, **.register(base)',
        rows: '.get(url)',
      },
    ])
    const set = { '.setHost': { at: 0 }, origin: { at: 0 }, '.register()': { at: 0 } }
    const common = { callee: '.get', from: ['acme', 'acme/http'], method: 'get' }
    expect(rules).toEqual([
      {
        ...common,
        url: named(0, 'url'),
        receiver: ['new Acme', 'new AcmeClient'],
        base: { at: 0, key: 'baseURL' },
        baseFrom: { baseURL: { at: 0 }, ...set },
      },
      {
        ...common,
        url: named(0, 'url'),
        receiver: ['acme.connect'],
        base: { at: 0 },
        baseFrom: set,
      },
    ])
  })

  it('read chains: what makes the client, then what sets the method or appends to the path', () => {
    const rows = 'GET new Request.Builder().url(url).{put|delete}().method(method).path(path)'
    expect(parseClients([{ rows }])).toEqual([
      {
        callee: '.url',
        method: 'get',
        url: named(0, 'url'),
        receiver: ['new Request.Builder'],
        methodFrom: { '.put': 'put', '.delete': 'delete', '.method': named(0, 'method') },
        pathFrom: { '.path': named(0, 'path') },
      },
    ])
  })

  it('call the client itself, or the URL', () => {
    const [itself, onUrl] = parseClients([
      { receiver: 'ky.create', rows: 'GET (url)' },
      { rows: 'url.GetAsync()' },
    ])
    expect(itself?.callee).toBe('()')
    expect(onUrl).toEqual({ callee: '.GetAsync', method: 'get', url: { isReceiver: true } })
  })

  it.each([
    ['acme.get(file)', 'no parameter is named url'],
    ['acme.get(url', '")" is missing'],
    ['acme.get(target: address)', '"address" is no url, method or base'],
    ['acme.get(url))', 'unexpected ")"'],
    [`${'{a|b}'.repeat(8)}.get(url)`, 'too many alternatives'],
  ])('refuse %s', (rows, reason) => {
    expect(() => parseClients([{ rows }])).toThrow(reason)
  })
})
