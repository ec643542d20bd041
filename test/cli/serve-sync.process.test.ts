import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { ListedJob } from '../../core/jobs/records.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { runCommand } from '../helpers/command-line.ts'
import { listMirrors, serveFeedFiles } from '../helpers/feed-files.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type Fault, startNvdServer } from '../helpers/nvd-server.ts'
import { type RunningScript, startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const KEY = 'a-key-that-nobody-else-may-see'
const PAST = Date.UTC(2026, 0, 1)
const RECORDS = 4_500

let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
})

afterAll(() => folder.remove())

/** A database with a source, and servers that sync it. */
async function openBench(name: string, fault?: () => Fault | undefined) {
  const file = folder.pathOf(`${name}.db`)
  const source = await startNvdServer({ clock: Date.now, apiKey: KEY, ...(fault && { fault }) })
  serveFeedFiles(source)
  for (let number = 0; number < RECORDS; number += 1) {
    const at = PAST + number * 1_000
    source.put(`CVE-2026-${String(number).padStart(4, '0')}`, { publishedAt: at, modifiedAt: at })
  }
  const storage = await openSqlite({ file })
  const started: RunningScript[] = []
  return {
    source,
    storage,
    started,
    async start() {
      const server = await startScript(
        [MAIN, 'serve', '--port', '0', '--sync', 'daily', '--log', 'info', '--database', file],
        {
          cwd: folder.pathOf('.'),
          environment: {
            NVD_API_KEY: KEY,
            API_DISCOVERY_SYNC_MIRRORS: listMirrors(source).join(','),
          },
        },
      )
      started.push(server)
      return server
    },
    async close() {
      for (const server of started) await server.end()
      await source.close()
      await storage.close()
    },
  }
}

async function listJobs({ jobs }: FullStorage): Promise<readonly ListedJob[]> {
  return (await jobs.listJobs(undefined, { page: 1, size: 10 })).items
}

async function waitUntil(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 3_000 && !(await isTrue()); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(await isTrue()).toBe(true)
}

function countRecords(storage: FullStorage): Promise<number> {
  // Not closed: the storage is shared with the test.
  const app = createApiDiscovery({ storage })
  return app.vulnerabilities.status().then(({ records }) => records)
}

describe.concurrent('serve --sync', { timeout: 240_000 }, () => {
  it('loads all sources in the background, and reports them', async () => {
    const { source, storage, start, close } = await openBench('loaded')
    try {
      const server = await start()
      await waitUntil(async () => (await listJobs(storage))[0]?.state === 'done')
      expect(await countRecords(storage)).toBe(RECORDS)
      const created = await runCommand(
        [
          'keys',
          'create',
          '--account',
          'default',
          '--name',
          'ops',
          '--scopes',
          'read,admin',
          '--json',
        ],
        { environment: { API_DISCOVERY_DATABASE: folder.pathOf('loaded.db') } },
      )
      const { key } = JSON.parse(created.results[0] ?? '{}')
      const headers = { 'api-key': key }
      const response = await fetch(`${server.url}/api/cvesearch/status`, { headers })
      expect(await response.json()).toMatchObject({
        sync: {
          running: false,
          next_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\+00:00$/),
        },
        sources: ['cve', 'epss', 'kev', 'nvd'].map((name) => {
          return {
            name,
            loaded_at: expect.any(String),
            attempted_at: expect.any(String),
            error: null,
          }
        }),
      })
      const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text()
      expect(metrics).toContain('api_discovery_vulnerability_sync_failures_total{source="kev"} 0\n')
      expect(metrics).toContain('api_discovery_vulnerability_sync_running 0\n')
      expect(server.output()).toMatch(/Syncs of vulnerability data: \d+ \d+ \* \* \* \(cron, UTC\)/)
      expect(source.requests[0]?.headers.apikey).toBe(KEY)
      expect(server.output() + server.errors() + metrics).not.toContain(KEY)
    } finally {
      await close()
    }
  })

  it('reports a failure, and leaves the other sources loaded', async () => {
    const { source, storage, start, close } = await openBench('failed')
    try {
      source.files.set('/kev.json', { bytes: Buffer.from('<html>') })
      const server = await start()
      await waitUntil(async () => (await listJobs(storage))[0]?.state === 'failed')
      const reason = `${source.origin}/kev.json: Cannot read the document: it is not JSON`
      expect(await listJobs(storage)).toMatchObject([{ failure: `kev: ${reason}` }])
      // The line may arrive after the state is stored.
      await waitUntil(() => server.errors().includes('"level":"error"'))
      const lines = server
        .errors()
        .split('\n')
        .filter((line) => line.startsWith('{'))
      const events = lines.map((line) => JSON.parse(line))
      expect(events.filter(({ level }) => level === 'error')).toEqual([
        {
          time: expect.any(String),
          level: 'error',
          event: 'vulnerability_source_synced',
          source: 'kev',
          state: 'failed',
          reason,
        },
      ])
      expect(await countRecords(storage)).toBe(RECORDS)
    } finally {
      await close()
    }
  })

  it('stops at SIGTERM with the records that it has read, and resumes after a restart', async () => {
    let isStalled = true
    let count = 0
    const fault = (): Fault | undefined => {
      count += 1
      return isStalled && count > 2 ? 'silent' : undefined
    }
    const { source, storage, start, close } = await openBench('stopped', fault)
    try {
      const server = await start()
      await waitUntil(() => count > 2)
      await server.end()
      expect(await listJobs(storage)).toMatchObject([{ state: 'queued', attempts: 1 }])
      expect(await storage.vulnerabilities.generation()).toBe(0)
      const before = source.requests.length
      isStalled = false
      await start()
      await waitUntil(async () => (await listJobs(storage))[0]?.state === 'done')
      expect(source.requests[before]?.query.startIndex).not.toBe('0')
      expect(await listJobs(storage)).toMatchObject([{ attempts: 2 }])
      expect(await countRecords(storage)).toBe(RECORDS)
    } finally {
      await close()
    }
  })

  it('runs once for two servers of a database', async () => {
    const { source, storage, start, close } = await openBench('shared')
    try {
      await Promise.all([start(), start()])
      await waitUntil(async () => (await listJobs(storage))[0]?.state === 'done')
      expect(await listJobs(storage)).toHaveLength(1)
      expect(source.requests.filter(({ path }) => path === '/kev.json')).toHaveLength(1)
    } finally {
      await close()
    }
  })

  it.each([
    [['--sync', 'sometimes'], 'it must be "daily" or five cron fields'],
    [['--sync', 'daily', '--no-jobs'], '--sync needs background jobs'],
    [['--sync', 'daily', '--database', ':memory:'], 'needs a database file or PostgreSQL'],
  ])('is rejected with %j', async (words, reason) => {
    const { code, notes } = await runCommand(['serve', '--port', '0', ...words], {
      environment: {
        API_DISCOVERY_DATABASE: folder.pathOf('rejected.db'),
        API_DISCOVERY_SECRET_FILE: folder.pathOf('rejected.secret'),
      },
    })
    expect([code, notes.join('\n')]).toEqual([2, expect.stringContaining(reason)])
  })
})
