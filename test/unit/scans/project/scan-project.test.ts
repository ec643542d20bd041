import { describe, expect, it } from 'vitest'
import { createMatcher } from '../../../../core/matching/matcher.ts'
import { createProjectScan } from '../../../../core/scans/project/scan-project.ts'
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
        apiId: 2,
        apiName: 'Acme Pay',
        apiVersion: undefined,
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

  it('lists hosts that no API has, the most frequent first', async () => {
    const { unmatched } = await scanFiles(
      {
        'a.ts': `fetch('https://b.pay.net/1'); fetch('https://a.pay.co.uk/1')`,
        'b.ts': `fetch('https://c.pay.net/1')\nfetch('https://c.pay.net/2')`,
      },
      { ...emptyCatalogue, findVendor: (domain) => (domain === 'pay.net' ? 'Pay' : undefined) },
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
    })
  })
})
