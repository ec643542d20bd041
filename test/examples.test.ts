import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveNode } from '../adapters/runtime/node.ts'
import { openSqlite } from '../adapters/storage/sqlite.ts'
import { ensureBuild, ROOT } from './helpers/build.ts'
import { makeFolder, type TestFolder } from './helpers/folder.ts'
import { startNvdServer } from './helpers/nvd-server.ts'
import { RUNTIME, runScript, type ScriptOptions, startScript } from './helpers/script.ts'
import { openTestService } from './helpers/service.ts'

/** Deno searches for it next to the first script, or in the folder of `deno serve`. */
const DENO_CONFIG = ['--config', join(ROOT, 'deno.json')]

const QUESTION = '/api/endpoint_search?q=weather+forecast'

let filled: TestFolder
let apiKey = ''

beforeAll(async () => {
  await ensureBuild()
  filled = await makeFolder()
  const service = await openTestService({
    openStorage: (clock) => openSqlite({ file: filled.pathOf('apis.db'), clock }),
  })
  apiKey = service.keys.all
  await service.close()
}, 300_000)
afterAll(() => filled.remove())

const pathOf = (example: string) => join(ROOT, 'examples', example)

/** Runs `use` in a folder with a filled catalogue `apis.db`. */
async function inFolder(use: (folder: TestFolder) => Promise<void>): Promise<void> {
  const folder = await makeFolder()
  try {
    await copyFile(filled.pathOf('apis.db'), folder.pathOf('apis.db'))
    await use(folder)
  } finally {
    await folder.remove()
  }
}

/** Starts an example, sends one request and stops it. */
async function askExample(
  words: readonly string[],
  more: Partial<ScriptOptions> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<unknown> {
  let answer: unknown
  await inFolder(async (folder) => {
    const environment = { PORT: '0', ...more.environment }
    const script = await startScript(words, { cwd: folder.pathOf('.'), ...more, environment })
    try {
      const response = await fetch(`${script.url}${QUESTION}`, {
        headers: more.headers ?? { 'api-key': apiKey },
      })
      answer = toAnswer(response.status, await response.json())
    } finally {
      await script.end()
    }
  })
  return answer
}

function toAnswer(status: number, body: { readonly num_results?: unknown }) {
  return { status, found: Number(body.num_results) > 0 }
}

const ANSWER = { status: 200, found: true }

describe('example', () => {
  it.each(['node-http.ts', 'express.ts', 'fastify.ts', 'custom-storage.ts'])(
    '%s serves on every runtime',
    async (example) => {
      expect(await askExample([pathOf(example)])).toEqual(ANSWER)
    },
  )

  it('own-authentication.ts accepts only the callers of its host', async () => {
    const example = [pathOf('own-authentication.ts')]
    const headers = { authorization: 'Bearer token-of-ada' }
    expect(await askExample(example, { headers })).toEqual(ANSWER)
    expect(await askExample(example)).toEqual({ status: 401, found: false })
  })

  it('console-in-host.ts shows the console to users logged in to the host', async () => {
    await inFolder(async (folder) => {
      const environment = { PORT: '0' }
      const cwd = folder.pathOf('.')
      const script = await startScript([pathOf('console-in-host.ts')], { cwd, environment })
      try {
        const go = (path: string, init: RequestInit = {}) =>
          fetch(`${script.url}${path}`, { redirect: 'manual', ...init })
        expect((await go('/console/')).headers.get('location')).toBe('/sign-in')
        const entered = await go('/sign-in', { method: 'POST' })
        const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
        const page = await go('/console/', { headers: { cookie } })
        expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('>Ada<')])
        // The host provides the account pages.
        expect((await go('/console/account', { headers: { cookie } })).status).toBe(404)
        const answer = await go(QUESTION, { headers: { 'api-key': apiKey } })
        expect(answer.status).toBe(200)
      } finally {
        await script.end()
      }
    })
  })

  it.skipIf(RUNTIME !== 'bun')('bun-serve.ts serves (it is for Bun)', async () => {
    expect(await askExample([pathOf('bun-serve.ts')])).toEqual(ANSWER)
  })

  it.skipIf(RUNTIME !== 'deno')('deno-serve.ts serves (it is for Deno)', async () => {
    expect(await askExample([pathOf('deno-serve.ts')])).toEqual(ANSWER)
  })

  it.skipIf(RUNTIME === 'node')('hono.ts serves (Node has no server for fetch)', async () => {
    const denoArguments = ['serve', '-A', ...DENO_CONFIG, '--host', '127.0.0.1', '--port', '0']
    expect(await askExample([pathOf('hono.ts')], { denoArguments })).toEqual(ANSWER)
  })

  it('hono.ts responds through its fetch function', async () => {
    await inFolder(async (folder) => {
      const request = `new Request('http://a${QUESTION}', { headers: { 'api-key': '${apiKey}' } })`
      const code = `
        import host from '${pathToFileURL(pathOf('hono.ts'))}'
        const response = await host.fetch(${request})
        console.log(JSON.stringify([response.status, await response.json()]))
        process.exit(0)`
      expect(await runCode(folder, code)).toEqual(ANSWER)
    })
  })

  it('client.ts queries a running service', async () => {
    await inFolder(async (folder) => {
      const service = await openTestService()
      const server = await serveNode(service.app.handle, { port: 0 })
      const ask = (API_KEY: string) =>
        runScript([pathOf('client.ts')], {
          cwd: folder.pathOf('.'),
          environment: { API_KEY, API_URL: `${server.url}/api` },
        })
      const { code, output } = await ask(service.keys.all)
      expect([code, toAnswer(200, JSON.parse(output))]).toEqual([0, ANSWER])
      const refused = await ask('nonsense')
      expect([refused.code, refused.output]).toEqual([1, ''])
      expect(refused.errors).toContain('401 unauthenticated: ')
      await server.close(0)
      await service.close()
    })
  })

  it('sync.ts loads vulnerabilities from configured sources', async () => {
    await inFolder(async (folder) => {
      const service = await startNvdServer({ clock: Date.now, apiKey: 'k' })
      service.put('CVE-2026-0001')
      const csv = 'cve,epss,percentile\nCVE-2026-0001,0.5,0.9\n'
      service.files.set('/epss.csv.gz', { bytes: gzipSync(csv) })
      const { code, output, errors } = await runScript([pathOf('sync.ts')], {
        cwd: folder.pathOf('.'),
        environment: {
          NVD_URL: service.url,
          NVD_API_KEY: 'k',
          EPSS_URL: `${service.origin}/epss.csv.gz`,
        },
      })
      await service.close()
      expect([code, JSON.parse(output)], errors).toMatchObject([
        0,
        {
          nvd: { state: 'loaded', mode: 'full', load: { total: 1 } },
          epss: { load: { total: 1 }, problems: 0 },
        },
      ])
    })
  })

  it('gateway.ts calls its target without revealing the key', async () => {
    await inFolder(async (folder) => {
      const { code, output, errors } = await runScript([pathOf('gateway.ts')], {
        cwd: folder.pathOf('.'),
      })
      const [planned = '', answer = ''] = output.trim().split('\n')
      expect([code, errors]).toEqual([0, ''])
      expect(JSON.parse(planned)).toEqual({
        planned: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:\d+\/v1\/harbours\/Port%20Ellen%2FIslay\/tides\?days=3$/,
        ),
        status: 200,
      })
      expect(JSON.parse(answer)).toEqual({
        method: 'GET',
        url: '/v1/harbours/Port%20Ellen%2FIslay/tides?days=3',
        key: 's3cr3t',
      })
    })
  })

  it('rate-limit-test.ts finds the limit of its target', async () => {
    await inFolder(async (folder) => {
      const { code, output, errors } = await runScript([pathOf('rate-limit-test.ts')], {
        cwd: folder.pathOf('.'),
      })
      const [queued = '', found = '', result = '', testCase = ''] = output.trim().split('\n')
      expect([code, errors]).toEqual([0, ''])
      expect(queued).toMatch(/^Queued as run 1: at most 60 requests at 20 per second/)
      const { verdict, sent } = JSON.parse(found)
      expect([verdict, sent > 10, sent <= 60]).toEqual(['protected', true, true])
      expect(result).toMatch(/^Protected: A rate limit was reached after \d+ requests/)
      expect(testCase).toMatch(/^\d+ requests in [\d.]+ s, at most \d+ requests per second/)
    })
  })

  it('scan-project.ts finds the APIs that a folder and a text use', async () => {
    await inFolder(async (folder) => {
      const project = join(ROOT, 'fixtures', 'projects', 'bookshop')
      const { code, output, errors } = await runScript([pathOf('scan-project.ts'), project], {
        cwd: folder.pathOf('.'),
      })
      const lines = output.trim().split('\n')
      expect([code, lines.map((line) => JSON.parse(line))], errors).toEqual([
        0,
        [
          { host: 'api.stripe.com', count: 3 },
          { host: 'api.github.com', count: 2 },
          { host: 'api.mailhopper.io', count: 1 },
          { host: 'api.twilio.com', count: 1 },
          { host: 'ci.jenkins.io', count: 1 },
          {
            file: 'releases.js',
            line: 1,
            method: 'get',
            url: 'https://api.github.com/repos/a/b/releases',
          },
        ],
      ])
    })
  })

  it('scan-network.ts finds the APIs in traffic files and stores the scan', async () => {
    await inFolder(async (folder) => {
      const files = ['proxy.log', 'session.har'].map((each) =>
        join(ROOT, 'fixtures', 'traffic', each),
      )
      const { code, output, errors } = await runScript([pathOf('scan-network.ts'), ...files], {
        cwd: folder.pathOf('.'),
      })
      const lines = output.trim().split('\n')
      expect([code, lines.map((line) => JSON.parse(line))], errors).toEqual([
        0,
        [
          {
            apiName: 'Ledgerly Payments',
            flows: 2,
            requests: [{ text: 'POST /v1/payments', count: 1 }],
          },
          {
            apiName: 'Skycast Weather',
            flows: 2,
            requests: [{ text: 'GET /v2/forecast', count: 2 }],
          },
          { host: 'metrics.other.example', flows: 2 },
          { flows: 6, matched: 4 },
        ],
      ])
    })
  })

  it('worker.ts responds from a bundle without runtime modules', async () => {
    await inFolder(async (folder) => {
      const outfile = folder.pathOf('worker.mjs')
      await build({
        entryPoints: [pathOf('worker.ts')],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'browser',
        conditions: ['workerd', 'worker'],
        logLevel: 'silent',
      })
      const request = `new Request('http://a${QUESTION}', { headers: { 'api-key': '${apiKey}' } })`
      const code = `
        import worker from '${pathToFileURL(outfile)}'
        import { openSqlite } from '${pathToFileURL(join(ROOT, 'dist', 'sqlite.js'))}'
        const STORAGE = await openSqlite({ file: 'apis.db' })
        const response = await worker.fetch(${request}, { STORAGE })
        console.log(JSON.stringify([response.status, await response.json()]))
        await STORAGE.close()`
      expect(await runCode(folder, code)).toEqual(ANSWER)
    })
  })
})

/** Runs code that prints status and body. */
async function runCode(folder: TestFolder, code: string): Promise<unknown> {
  const file = folder.pathOf('ask.mjs')
  await writeFile(file, code)
  const { output, errors } = await runScript([file], {
    cwd: folder.pathOf('.'),
    denoArguments: ['run', '-A', ...DENO_CONFIG],
  })
  if (output === '') throw new Error(errors)
  const [status, body] = JSON.parse(output)
  return toAnswer(status, body)
}
