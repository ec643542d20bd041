import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../helpers/raw-http.ts'

const FULL_DISK = '/dev/full'
const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-processes-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function start(words: readonly string[], output: 'pipe' | number = 'pipe') {
  const runtime = 'Deno' in globalThis ? ['run', '-A'] : []
  const child = spawn(process.execPath, [...runtime, MAIN, ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', output, 'pipe'],
  })
  const errors: string[] = []
  const { stdout, stderr } = child
  stderr?.on('data', (chunk) => errors.push(String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, stdout: stdout ?? Readable.from([]), errors, ended }
}

describe('a process', () => {
  it('whose reader has seen enough ends in order', async () => {
    const { stdout, errors, ended } = start(['openapi'])
    stdout.destroy()
    expect([await ended, errors.join('')]).toEqual([0, ''])
  })

  it.skipIf(!existsSync(FULL_DISK))(`says that the disk is full (needs ${FULL_DISK})`, async () => {
    const disk = await open(FULL_DISK, 'w')
    const { errors, ended } = start(['openapi'], disk.fd)
    const code = await ended
    await disk.close()
    // Deno throws where the others tell an event: in its own words.
    const told = /^(Cannot write to standard output: the disk is full|No space left on .*)\n$/
    expect([code, errors.join('')]).toEqual([1, expect.stringMatching(told)])
  })

  it('that serves limits requests and logs as it was told', async () => {
    const limits = ['--requests-per-minute', '1', '--log', 'info']
    const { child, stdout, errors, ended } = start([
      'serve',
      '--seed',
      '--print-setup',
      '--json',
      '--port',
      '0',
      ...limits,
    ])
    const { url, api_key: key } = await readLine(stdout)
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
    expect(events.map((line) => JSON.parse(line))).toEqual([
      // The link of the first user was made.
      expect.objectContaining({ level: 'info', event: 'user_invited', account: 'default' }),
      ...statuses.map((status) =>
        expect.objectContaining({
          level: 'info',
          event: 'request',
          path: '/api/categories',
          status,
        }),
      ),
    ])
  })

  for (const listener of ['node', 'native']) {
    it(`ends at a second signal although a client of its ${listener} listener stalls`, async () => {
      const { child, stdout, ended } = start([
        'serve',
        '--seed',
        '--print-setup',
        '--json',
        '--port',
        '0',
        '--listener',
        listener,
      ])
      const { url, api_key: key } = await readLine(stdout)
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
