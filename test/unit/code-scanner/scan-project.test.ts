import { describe, expect, it } from 'vitest'
import { createProjectScan } from '../../../core/code-scanner/scan-project.ts'
import { createMatcher } from '../../../core/matching/matcher.ts'
import { emptyCatalogue, scanFiles, skipsSyntax } from './scan.ts'

const matcher = createMatcher()
matcher.addEndpoints([
  {
    id: 7,
    shortId: 'aB3xY9',
    apiId: 2,
    method: 'GET',
    path: '/v1/users/{id}',
    servers: [{ url: 'https://api.acme-pay.com', name: '', variables: [] }],
    apiName: 'Acme Pay',
    vendorName: 'Acme',
  },
])
const catalogue = { match: matcher.match, findVendor: () => undefined }

describe.skipIf(skipsSyntax)('a scan of a project', () => {
  it('says of each use what the catalogue knows', async () => {
    const { findings } = await scanFiles(
      {
        'src/user.ts':
          "export const load = (id) =>\n  fetch('https://api.acme-pay.com/v1/users/' + id)",
      },
      catalogue,
    )
    expect(findings).toEqual([
      {
        file: 'src/user.ts',
        line: 2,
        column: 9,
        url: 'https://api.acme-pay.com/v1/users/{}',
        method: 'get',
        via: 'call',
        confidence: 0.95,
        package: undefined,
        host: 'api.acme-pay.com',
        domain: 'acme-pay.com',
        endpointId: 'aB3xY9',
        endpointUrl: 'https://api.acme-pay.com/v1/users/{}',
        apiId: 2,
        apiName: 'Acme Pay',
        vendorName: 'Acme',
      },
    ])
  })

  it('reports an unlikely text where the catalogue knows its host', async () => {
    const files = {
      'a.ts': `const x = 'https://api.acme-pay.com/v1/users/1'; const y = 'https://pay.net/a'`,
    }
    const { findings } = await scanFiles(files, catalogue)
    expect(findings.map(({ url, via }) => ({ url, via }))).toEqual([
      { url: 'https://api.acme-pay.com/v1/users/1', via: 'literal' },
    ])
  })

  it('reports placeholders and private hosts where the catalogue knows them', async () => {
    const own = createMatcher()
    const hosts = ['https://pets.example', 'https://billing.internal', 'http://10.0.0.8:8080']
    own.addEndpoints(
      hosts.map((url, id) => ({
        id,
        shortId: `short${id}`,
        apiId: id,
        method: 'GET',
        path: '/v1/pets',
        servers: [{ url, name: '', variables: [] }],
        apiName: `API ${id}`,
        vendorName: 'Acme',
      })),
    )
    const files = {
      'a.ts': hosts.map((host) => `fetch('${host}/v1/pets')`).join('\n'),
      'b.ts': `import axios from 'axios'\nconst api = axios.create({ baseURL: 'https://pets.example' })\napi.get('/v1/pets')`,
      'c.yaml': 'api_url: https://pets.example/v1/pets',
      'd.ts': `fetch('https://cats.example/v1'); fetch('http://10.0.0.9/v1'); fetch('http://localhost/v1/pets')`,
    }
    const { findings, unmatched } = await scanFiles(files, { match: own.match })
    expect(findings.map(({ file, line, apiName }) => `${file}:${line} ${apiName}`)).toEqual([
      'a.ts:1 API 0',
      'a.ts:2 API 1',
      'a.ts:3 API 2',
      'b.ts:2 API 0',
      'b.ts:3 API 0',
      'c.yaml:1 API 0',
    ])
    expect(unmatched).toEqual([])
  })

  it('tells no user, password or key that a URL holds', async () => {
    const urls = [
      'https://svc:pa55@api.pay.net/v1/users',
      'https://api.pay.net/v1?api_key=k3y5&q=key&access_token=t0k3n#a',
      'https://api.pay.net/v1?keyword=dogs&tokens=2',
      'https://api.pay.net/v1#access_token=t0k3n&state=a',
      'https://hooks.slack.com/services/T0/B0/s3cr3t',
      `https://discord.com/api/webhooks/1234567890123/${'w'.repeat(68)}`,
      `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage`,
      'https://api.pay.net/v1/users/sk_live_s3cr3tk3y/orders',
    ]
    const text = urls.map((url) => `fetch('${url}')`).join('\n')
    const files = { 'a.ts': text, '.env': 'PAY_API_URL=https://svc:pa55@api.pay.net/v1' }
    const { findings } = await scanFiles(files)
    expect(findings.map(({ url }) => url)).toEqual([
      'https://api.pay.net/v1',
      'https://api.pay.net/v1/users',
      'https://api.pay.net/v1?api_key={}&q=key&access_token={}#a',
      'https://api.pay.net/v1?keyword=dogs&tokens=2',
      'https://api.pay.net/v1#access_token={}&state=a',
      'https://hooks.slack.com/services/{}/{}/{}',
      'https://discord.com/api/webhooks/1234567890123/{}',
      'https://api.telegram.org/bot{}/sendMessage',
      'https://api.pay.net/v1/users/{}/orders',
    ])
  })

  it('tells no key of a call whose host is not told', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of the text that is scanned
    const url = '${process.env.PAY_API_URL}/v1/users/sk_live_s3cr3tk3y/orders?token=t0k3n'
    const { unresolved } = await scanFiles({ 'a.ts': `fetch(\`${url}\`)` })
    expect(unresolved.map((call) => call.url)).toEqual(['{}/v1/users/{}/orders'])
  })

  it('shows what is posted to an unknown host, but no part of a page that is read', async () => {
    const text = `fetch(a + '/og.png', { method: 'POST' })\nfetch(a + '/v1/a.png')`
    const { unresolved } = await scanFiles({ 'a.ts': text })
    expect(unresolved.map(({ method, url }) => `${method} ${url}`)).toEqual(['post {}/og.png'])
  })

  it('takes no part of an address for a host, no unknown part for a domain', async () => {
    const urls = [
      'https://{a}.0.0.1/v1',
      'https://8.8.{a}.8/v1',
      'https://1.2.3/v1',
      'https://{a}.co.uk/v1',
      'https://api.{a}.co.uk/v1',
      'https://{a}.pay.co.uk/v1',
      'https://api.pay.net.:8443/v1',
    ]
    const { unmatched } = await scanFiles({
      'a.ts': urls.map((url) => `fetch('${url}')`).join('\n'),
    })
    expect(unmatched).toEqual([
      { host: 'api.pay.net', domain: 'pay.net', vendorName: undefined, count: 1 },
      { host: 'api.{}.co.uk', domain: '{}.co.uk', vendorName: undefined, count: 1 },
      { host: '{}.pay.co.uk', domain: 'pay.co.uk', vendorName: undefined, count: 1 },
    ])
  })

  it('takes what is not known behind a whole host for a path', async () => {
    const urls = [
      'https://api.pay.net{a}',
      'https://api.pay.net{a}/x?y={b}',
      'https://api.paying{a}/v1',
      'https://eu.app{a}.pay.net/v1',
    ]
    const { findings } = await scanFiles({
      'a.ts': urls.map((url) => `fetch('${url}')`).join('\n'),
    })
    expect(findings.map(({ url }) => url)).toEqual([
      'https://api.pay.net/{}',
      'https://api.pay.net/{}/x?y={}',
      'https://api.paying{}/v1',
      'https://eu.app{}.pay.net/v1',
    ])
  })

  it('lists hosts that no API has, the most frequent first', async () => {
    const { unmatched } = await scanFiles(
      {
        'a.ts': `fetch('https://b.pay.net/1'); fetch('https://a.pay.co.uk/1')`,
        'b.ts': `fetch('https://c.pay.net/1')\nfetch('https://c.pay.net/2')`,
      },
      { ...emptyCatalogue, findVendor: (host) => (host.endsWith('.pay.net') ? 'Pay' : undefined) },
    )
    expect(unmatched).toEqual([
      { host: 'c.pay.net', domain: 'pay.net', vendorName: 'Pay', count: 2 },
      { host: 'a.pay.co.uk', domain: 'pay.co.uk', vendorName: undefined, count: 1 },
      { host: 'b.pay.net', domain: 'pay.net', vendorName: 'Pay', count: 1 },
    ])
  })

  it('says the same whatever the order of its files', async () => {
    const files = {
      'use.ts': `import { api } from './lib'\napi.get('/users')`,
      'lib/index.ts': `export * from './http'`,
      'lib/http.ts': `import axios from 'axios'\nimport { BASE } from '../base'\nexport const api = axios.create({ baseURL: BASE })`,
      'base.ts': `export const BASE = 'https://api.pay.net/v2'`,
    }
    const backwards = Object.fromEntries(Object.entries(files).reverse())
    const one = await scanFiles(files)
    expect(await scanFiles(backwards)).toEqual(one)
    expect(
      one.findings.map(({ file, line, method, url }) => ({ file, line, method, url })),
    ).toEqual([
      { file: 'base.ts', line: 1, method: undefined, url: 'https://api.pay.net/v2' },
      { file: 'lib/http.ts', line: 3, method: undefined, url: 'https://api.pay.net/v2' },
      { file: 'use.ts', line: 2, method: 'get', url: 'https://api.pay.net/v2/users' },
    ])
  })

  it('ends where files import each other in a circle', async () => {
    const { findings } = await scanFiles({
      'a.ts': `import { B } from './b'\nexport const A = B + '/a'\nfetch(A + '/api')`,
      'b.ts': `import { A } from './a'\nexport const B = A + '/b'\nexport * from './a'`,
    })
    expect(findings).toEqual([])
  })

  it('says one use once where call and address share a line', async () => {
    const text = `const url = 'https://api.pay.net/v1'; fetch(url)\nconst other = 'https://api.pay.net/v1'`
    const { findings } = await scanFiles({ 'a.ts': text })
    expect(findings.map(({ line, via }) => ({ line, via }))).toEqual([
      { line: 1, via: 'call' },
      { line: 2, via: 'base' },
    ])
  })

  it('reads the scripts of components at their places', async () => {
    const text = `<template><a href="https://api.pay.net/x">x</a></template>\n<script>\nfetch('https://api.pay.net/v1')\n</script>`
    const { findings } = await scanFiles({ 'App.vue': text })
    expect(findings.map(({ line, column, url }) => ({ line, column, url }))).toEqual([
      { line: 3, column: 7, url: 'https://api.pay.net/v1' },
    ])
  })

  it('rates findings by their evidence, those of tests lower', async () => {
    const { findings } = await scanFiles({
      'src/a.ts': "export const apiBase = 'https://api.pay.net/v1'",
      'src/b.ts': "export const shopUrl = { endpoint: 'https://shop.wayfare.net' }",
      'tests/a.ts': "await fetch('https://api.mock.net/v1')",
    })
    expect(findings.map(({ host, confidence }) => [host, confidence])).toEqual([
      ['api.pay.net', 0.9],
      ['shop.wayfare.net', 0.7],
      ['api.mock.net', 0.6],
    ])
  })

  it('takes JSON data of tests for no configuration', async () => {
    const text = '{ "api_url": "https://api.pay.net/v1" }'
    const { findings } = await scanFiles({ 'test/reply.json': text, 'settings.json': text })
    expect(findings.map(({ file }) => file)).toEqual(['settings.json'])
  })

  it('reports endpoints without wildcards at their end', async () => {
    const { findings } = await scanFiles({
      'a.ts': "fetch('https://api.pay.net/v1/**/*?a=1')\nfetch('https://api.pay.net/*/v2')",
    })
    expect(findings.map(({ endpointUrl }) => endpointUrl)).toEqual([
      'https://api.pay.net/v1',
      'https://api.pay.net/*/v2',
    ])
  })

  it('leaves out lines that no person wrote', async () => {
    const text = `fetch('https://api.pay.net/v1');`.repeat(30_000)
    expect((await scanFiles({ 'bundle.js': text })).findings).toEqual([])
  })
})

describe('a scan of no files', () => {
  it('counts what was read and left out', () => {
    const scan = createProjectScan(emptyCatalogue)
    scan.add(undefined)
    scan.skip('binary')
    scan.skip('binary')
    scan.skip('minified')
    expect(scan.finish()).toEqual({
      files: 1,
      skipped: { binary: 2, minified: 1 },
      findings: [],
      unmatched: [],
      ambiguous: [],
      unresolved: [],
    })
  })

  it('names the first unread files by path, in any order of arrival', () => {
    const scan = createProjectScan(emptyCatalogue)
    const paths = Array.from({ length: 30 }, (_, at) => `src/${10 + at}.ts`)
    for (const path of paths.toReversed()) scan.skipUnread({ path, reason: 'unreadable' })
    scan.skipUnread({ path: 'a.ts', reason: 'failed' })
    const { skipped, unread } = scan.finish()
    expect(skipped).toEqual({ failed: 1, unreadable: 30 })
    expect(unread).toEqual([
      ...paths.slice(0, 20).map((path) => ({ path, reason: 'unreadable' })),
      { path: 'a.ts', reason: 'failed' },
    ])
  })
})
