import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type NvdServer, startNvdServer } from '../helpers/nvd-server.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { storagesOf } from '../helpers/runs.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const STUBBORN = fileURLToPath(new URL('../helpers/stubborn-work.ts', import.meta.url))
const KEY = 'key-of-the-test'

let folder: TestFolder
let postgres: TestPostgres

beforeAll(async () => {
  folder = await makeFolder()
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres.stop()
  await folder.remove()
})

async function startFilledServer(): Promise<NvdServer> {
  const server = await startNvdServer({ clock: Date.now, apiKey: KEY })
  for (let number = 1; number <= 7_000; number += 1) {
    const publishedAt = Date.UTC(2020, 0, 1) + number * 3_600_000
    server.put(`CVE-2020-${1000 + number}`, { publishedAt, modifiedAt: publishedAt })
  }
  return server
}

function startSync(script: string, words: readonly string[]) {
  const runtime = 'Deno' in globalThis ? ['run', '-A'] : []
  const child = spawn(process.execPath, [...runtime, script, ...words], {
    env: {
      ...process.env,
      NO_COLOR: '1',
      NVD_API_KEY: KEY,
      API_DISCOVERY_SECRET_FILE: folder.pathOf('secret'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '', errors: '' }
  child.stdout.on('data', (chunk) => {
    output.text += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    output.errors += String(chunk)
  })
  // Deno reports no exit code of a signalled child, even if it exited by itself.
  const ended = new Promise<number>((resolve) =>
    child.once('close', (code) => resolve(code ?? 130)),
  )
  return {
    output,
    ended,
    stop() {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGINT')
    },
    async until(text: string) {
      for (let count = 0; count < 6_000 && !output.text.includes(text); count += 1) await pause(10)
      expect(output.text).toContain(text)
    },
  }
}

const DATABASES: readonly (readonly [string, () => Promise<string>])[] = [
  ['SQLite', async () => `sqlite:${folder.pathOf('stopped.db')}`],
  ['PostgreSQL', () => postgres.createDatabase()],
]

// Concurrent: they mostly wait for servers with a rate limit and for processes.
describe.concurrent('a stopped sync', { timeout: 90_000 }, () => {
  it.each(storagesOf(DATABASES))(
    'ends gracefully on %s, explains how to resume, and resumes there',
    async (_, createDatabase) => {
      const server = await startFilledServer()
      const database = await createDatabase()
      const words = ['sync', 'nvd', '--base-url', server.url, '--database', database, '--json']
      const first = startSync(MAIN, words)
      await first.until('"progress"')
      first.stop()
      expect(await first.ended).toBe(130)
      expect(first.output.errors.trim().split('\n')).toEqual([
        'Stopping… Press Ctrl-C again to exit at once.',
        'Stopped: the records read so far are stored. Run the same command to resume.',
      ])
      const asked = server.requests.length
      const second = startSync(MAIN, words)
      expect(await second.ended).toBe(0)
      const events = second.output.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(events[0]).toEqual({ event: 'begun', mode: 'full', isResumed: true })
      expect(events.at(-1)).toMatchObject({
        event: 'done',
        added: 7_000,
        total: 7_000,
        generation: 1,
        problems: 0,
      })
      expect(server.requests[asked]?.query.startIndex).not.toBe('0')
      await server.close()
      const said = [first, second].map(({ output }) => output.text + output.errors).join('')
      expect(said).not.toContain(KEY)
    },
  )

  it('ends while its source is stalled, and explains that nothing was stored', async () => {
    const silent = await startNvdServer({ clock: Date.now, fault: () => 'silent' })
    const database = `sqlite:${folder.pathOf('silent.db')}`
    const words = ['--from', silent.url, '--database', database, '--json']
    const outcomes: (readonly [number, string | undefined])[] = []
    for (const command of [['nvd'], ['nvd', '--replace'], ['kev']]) {
      const asked = silent.requests.length
      const sync = startSync(MAIN, ['sync', ...command, ...words])
      for (let count = 0; count < 6_000 && silent.requests.length === asked; count += 1) {
        await pause(10)
      }
      sync.stop()
      const code = await sync.ended
      outcomes.push([code, sync.output.errors.trim().split('\n').at(-1)])
    }
    await silent.close()
    expect(outcomes).toEqual([
      [130, 'Stopped: the records read so far are stored. Run the same command to resume.'],
      [130, 'Stopped: nothing was changed. Run the same command to start over.'],
      [130, 'Stopped: nothing was changed. Run the same command to start over.'],
    ])
  })

  it('ends at once at a second signal', async () => {
    const { output, ended, stop, until } = startSync(STUBBORN, [])
    await until('working')
    stop()
    for (let count = 0; count < 500 && output.errors === ''; count += 1) await pause(10)
    stop()
    expect([await ended, output.errors]).toEqual([
      130,
      'Stopping… Press Ctrl-C again to exit at once.\n',
    ])
  })
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
