import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../helpers/raw-http.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-processes-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function start(words: readonly string[]) {
  const runtime = 'Deno' in globalThis ? ['run', '-A'] : []
  const child = spawn(process.execPath, [...runtime, MAIN, ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, errors, ended }
}

describe('a process', () => {
  it('whose reader has seen enough ends in order', async () => {
    const { child, errors, ended } = start(['openapi'])
    child.stdout.destroy()
    expect([await ended, errors.join('')]).toEqual([0, ''])
  })

  it('that serves limits requests and logs as it was told', async () => {
    const limits = ['--requests-per-minute', '1', '--log', 'info']
    const { child, errors, ended } = start(['serve', '--seed', '--json', '--port', '0', ...limits])
    const { url, api_key: key } = await readLine(child.stdout)
    const statuses = []
    for (let count = 0; count < 2; count += 1) {
      const answer = await fetch(`${url}/api/categories`, { headers: { 'api-key': key } })
      await answer.text()
      statuses.push(answer.status)
    }
    child.kill('SIGTERM')
    await ended
    expect(statuses).toEqual([200, 429])
    const events = errors.join('').trim().split('\n')
    expect(events.map((line) => JSON.parse(line))).toEqual(
      statuses.map((status) =>
        expect.objectContaining({
          level: 'info',
          event: 'request',
          path: '/api/categories',
          status,
        }),
      ),
    )
  })

  for (const listener of ['node', 'native']) {
    it(`ends at a second signal although a client of its ${listener} listener stalls`, async () => {
      const { child, ended } = start([
        'serve',
        '--seed',
        '--json',
        '--port',
        '0',
        '--listener',
        listener,
      ])
      const { url, api_key: key } = await readLine(child.stdout)
      const connection = await openRaw(url)
      connection.send(
        `POST /api/vendors HTTP/1.1\r\nHost: a\r\napi-key: ${key}\r\nContent-Length: 9\r\n\r\n{`,
      )
      await pause(200)
      const { pid } = child
      if (pid === undefined) throw new Error('The process did not start')
      // Deno's own `child.kill` sends no second signal.
      process.kill(pid, 'SIGTERM')
      await pause(100)
      process.kill(pid, 'SIGTERM')
      const late = pause(5_000).then(() => 'late')
      const outcome = await Promise.race([ended.then(() => 'ended'), late])
      child.kill('SIGKILL')
      connection.close()
      expect(outcome).toBe('ended')
    })
  }
})

async function readLine(stream: Readable): Promise<{ url: string; api_key: string }> {
  return new Promise((resolve) => {
    stream.once('data', (chunk) => resolve(JSON.parse(String(chunk))))
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
