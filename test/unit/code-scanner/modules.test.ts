import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue, scanFiles, skipsSyntax } from './scan.ts'

const BASE = 'https://api.pay.net/v2'

/** Returns the call found in the last file. */
async function callOf(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { findings } = await scanFiles(files)
  const last = Object.keys(files).at(-1)
  const found = findings.find(({ file, via }) => file === last && via === 'call')
  return found && `${found.method} ${found.url}`
}

describe.skipIf(skipsSyntax)('a module of several packages', () => {
  it.each([
    [
      'ts',
      '@/config',
      'export const BASE =',
      "import { BASE } from '@/config'\nfetch(BASE + '/a')",
    ],
    [
      'py',
      'app/settings',
      'BASE =',
      "import requests\nfrom app.settings import BASE\nrequests.get(BASE + '/a')",
    ],
  ])('is that of the own package in %s', async (extension, module, definition, call) => {
    const path = module.replace('@', 'src')
    const names = ['a', 'b', 'c', 'd'].slice(0, extension === 'ts' ? 4 : 2)
    const files = names.map((name) => ({
      [`packages/${name}/${path}.${extension}`]: `${definition} 'https://api.${name}-pay.net'`,
      [`packages/${name}/jobs/client.${extension}`]: call,
    }))
    const texts: Readonly<Record<string, string>> = Object.assign({}, ...files)
    const { findings } = await scanProject({
      files: Object.entries(texts).map(([path, text]) => ({ path, text })),
      grammars: await openGrammars(['python', 'typescript']),
      catalogue: emptyCatalogue,
    })
    const calls = findings.filter(({ via }) => via === 'call')
    expect(calls.map(({ file, url }) => `${file.split('/')[1]} ${url}`).sort()).toEqual(
      names.map((name) => `${name} https://api.${name}-pay.net/a`),
    )
  })
})

describe.skipIf(skipsSyntax)('the method of a function that receives options', () => {
  const send = `export const send = (path, options) => fetch(\`${BASE}\${path}\`, options)\n`

  it.each([
    ["send('/a')", 'get'],
    ["send('/a', { timeout: 1 })", 'get'],
    ["send('/a', { method: 'POST' })", 'post'],
    ["const init = { method: 'POST' }\nsend('/a', init)", 'post'],
    ["const run = (options) => send('/a', options)", undefined],
    ["const run = (options) => send('/a', { timeout: 1, ...options })", undefined],
    ["send('/a', { method: choose() })", undefined],
    ["send('/a', choose())", undefined],
  ])('is known of %s', async (call, method) => {
    expect(await callOf({ 'b.ts': send, 'a.ts': `import { send } from './b'\n${call}` })).toBe(
      `${method} ${BASE}/a`,
    )
    const { findings } = await scanFiles({ 'a.ts': send + call })
    expect(findings.find(({ line }) => line > 1)?.method).toBe(method)
  })

  it('is unknown of the function itself', async () => {
    const text = `const send = (options) => fetch('${BASE}', options)\nsend({ method: 'POST' })`
    expect(await callOf({ 'a.ts': text })).toBe(`undefined ${BASE}`)
  })
})

describe.skipIf(skipsSyntax)('a name of another file', () => {
  it.each([
    ['a named import', `export const B = '${BASE}'`, `import { B } from '../lib/a'\nfetch(B)`],
    [
      'a renamed import',
      `export const B = '${BASE}'`,
      `import { B as C } from '../lib/a.js'\nfetch(C)`,
    ],
    [
      'a default import',
      `export default { url: '${BASE}' }`,
      `import c from '../lib/a'\nfetch(c.url)`,
    ],
    [
      'a namespace import',
      `export const B = '${BASE}'`,
      `import * as a from '../lib/a'\nfetch(a.B)`,
    ],
    [
      'an export at the end',
      `const B = '${BASE}'\nexport { B as C }`,
      `import { C } from '../lib/a'\nfetch(C)`,
    ],
    [
      'an alias of the sources',
      `export const B = '${BASE}'`,
      `import { B } from '@/lib/a'\nfetch(B)`,
    ],
    ['a required member', `exports.B = '${BASE}'`, `const { B } = require('../lib/a')\nfetch(B)`],
    [
      'a required module',
      `module.exports = { url: '${BASE}' }`,
      `const c = require('../lib/a')\nfetch(c.url)`,
    ],
    [
      'a static field',
      `export class C { static URL = '${BASE}' }`,
      `import { C } from '../lib/a'\nfetch(C.URL)`,
    ],
    ['an enum', `export enum E { B = '${BASE}' }`, `import { E } from '../lib/a'\nfetch(E.B)`],
    [
      'a function',
      `export const url = () => '${BASE}'`,
      `import { url } from '../lib/a'\nfetch(url())`,
    ],
    [
      'a function of a path',
      `export const url = (p) => 'https://api.pay.net/' + p`,
      `import { url } from '../lib/a'\nfetch(url('v2'))`,
    ],
    [
      'a wrapper',
      `export const load = (p) => fetch('https://api.pay.net' + p)`,
      `import { load } from '../lib/a'\nload('/v2')`,
    ],
    [
      'a wrapper of options',
      `export const load = ({ path }) => fetch('https://api.pay.net' + path)`,
      `import { load } from '../lib/a'\nload({ path: '/v2' })`,
    ],
    [
      'a client',
      `import ky from 'ky'\nexport const api = ky.create({ prefixUrl: 'https://api.pay.net' })`,
      `import { api } from '../lib/a'\napi.get('v2')`,
    ],
    [
      'a client that is called itself',
      `import ky from 'ky'\nexport default ky.create({ prefixUrl: 'https://api.pay.net' })`,
      `import api from '../lib/a'\napi('v2')`,
    ],
    [
      'an object of a class',
      `class C { constructor(base) { this.base = base } get(p) { return fetch(this.base + p) } }\nexport const c = new C('https://api.pay.net')`,
      `import { c } from '../lib/a'\nc.get('/v2')`,
    ],
  ])('is known by %s', async (_, there, here) => {
    expect(await callOf({ 'src/lib/a.ts': there, 'src/app/b.ts': here })).toBe(`get ${BASE}`)
  })

  it.each([
    [
      'imported data',
      'src/api.json',
      `{ "api": { "url": "${BASE}" } }`,
      `import c from './api.json'\nfetch(c.api.url)`,
    ],
    [
      'a member of required data',
      'src/api.json',
      `{ "api": { "url": "${BASE}" } }`,
      `const { api } = require('./api.json')\nfetch(api.url)`,
    ],
    [
      'a list of imported data',
      'src/data/all.json',
      `[{ "id": "pay", "url": "${BASE}" }]`,
      `import all from '@/data/all.json'\nfor (const { url } of all) fetch(url)`,
    ],
    [
      'an extended client',
      'src/api.ts',
      `import ky from 'ky'\nconst a = ky.create({ prefixUrl: 'https://api.pay.net' })\nexport const api = a.extend({ retry: 2 })`,
      `import { api } from './api'\napi('v2')`,
    ],
    [
      'settings of Nuxt',
      'nuxt.config.ts',
      `export default defineNuxtConfig({ runtimeConfig: { public: { base: '${BASE}' } } })`,
      `export default defineEventHandler((event) => { const c = useRuntimeConfig(event)\nreturn $fetch(c.public.base) })`,
    ],
    [
      'a base of injected queries',
      'src/api.ts',
      `import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'\nexport const api = createApi({ baseQuery: fetchBaseQuery({ baseUrl: 'https://api.pay.net' }), endpoints: () => ({}) })`,
      `import { api } from './api'\nexport const x = api.injectEndpoints({ endpoints: (build) => ({ a: build.query({ query: () => '/v2' }) }) })`,
    ],
    [
      'a module of Nest',
      'src/module.ts',
      `import { HttpModule } from '@nestjs/axios'\n@Module({ imports: [HttpModule.register({ baseURL: 'https://api.pay.net' })] })\nexport class Pay {}`,
      `import { HttpService } from '@nestjs/axios'\nclass S { constructor(private http: HttpService) {}\nload() { return this.http.get('/v2') } }`,
    ],
    [
      'a module of Nest with a factory',
      'src/module.ts',
      `import { HttpModule } from '@nestjs/axios'\n@Module({ imports: [HttpModule.registerAsync({ useFactory: (c) => ({ baseURL: c.get('PAY', 'https://api.pay.net') }) })] })\nexport class Pay {}`,
      `import { HttpService } from '@nestjs/axios'\nclass S { constructor(private http: HttpService) {}\nload() { return this.http.get('/v2') } }`,
    ],
  ])('is known by %s', async (_, file, there, here) => {
    expect(await callOf({ [file]: there, 'src/b.ts': here })).toBe(`get ${BASE}`)
  })

  it('is known through the environment of a file', async () => {
    const files = {
      'a.ts': `export const B = process.env.BASE ?? '${BASE}'`,
      'b.ts': `import { B } from './a'\nfetch(B + '/x')`,
    }
    expect(await callOf(files)).toBe(`get ${BASE}/x`)
  })

  it('is not known of data that another file has', async () => {
    const files = {
      'src/api.json': `{ "url": "${BASE}" }`,
      'src/app/b.ts': `import c from './api.json'\nfetch(c.url)`,
    }
    expect(await callOf(files)).toBe(undefined)
  })

  it('is not known of a package with the name of a file', async () => {
    const files = {
      'src/axe.ts': `export const B = '${BASE}'`,
      'b.ts': `import { B } from 'axe'\nfetch(B)`,
    }
    expect(await callOf(files)).toBe(undefined)
  })
})
