import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../core/index.ts'
import { openRaw } from '../helpers/raw-http.ts'
import { RUNTIME } from '../helpers/script.ts'

const FULL_DISK = '/dev/full'
const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

/** Starts with an empty database each time. */
const IN_MEMORY = ['--database', 'sqlite::memory:']

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-processes-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function startCli(words: readonly string[], output: 'pipe' | number = 'pipe') {
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
  it('ends normally when its reader closes the pipe', async () => {
    const { stdout, errors, ended } = startCli(['openapi'])
    stdout.destroy()
    expect([await ended, errors.join('')]).toEqual([0, ''])
  })

  it.skipIf(!existsSync(FULL_DISK))(`reports a full disk (needs ${FULL_DISK})`, async () => {
    const disk = await open(FULL_DISK, 'w')
    const { errors, ended } = startCli(['openapi'], disk.fd)
    const code = await ended
    await disk.close()
    // Deno throws its own error instead of emitting an event.
    const told = /^(Cannot write to standard output: the disk is full|No space left on .*)\n$/
    expect([code, errors.join('')]).toEqual([1, expect.stringMatching(told)])
  })

  it('that serves limits requests and logs as configured', async () => {
    const limits = ['--requests-per-minute', '1', '--log', 'info']
    const { child, stdout, errors, ended } = startCli([
      'serve',
      '--seed',
      '--print-setup',
      ...IN_MEMORY,
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
      // The link for the first user was created.
      expect.objectContaining({ level: 'info', event: 'user_invited', account: 'default' }),
      expect.objectContaining({
        event: 'server_started',
        url,
        version: VERSION,
        database: 'sqlite',
      }),
      ...statuses.map((status) =>
        expect.objectContaining({
          level: 'info',
          event: 'request',
          path: '/api/categories',
          status,
          account: 'default',
          key_id: expect.stringMatching(/^key_/),
          client_address: '127.0.0.1',
        }),
      ),
      expect.objectContaining({ event: 'server_stopped', signal: 'SIGTERM' }),
    ])
  })

  it('that serves has process metrics and logs text to a file', async () => {
    const { child, stdout, errors, ended } = startCli([
      ...['serve', '--seed', '--print-setup', '--json', '--port', '0'],
      ...IN_MEMORY,
      ...['--log', 'info', '--log-format', 'text', '--log-file', 'service.log'],
    ])
    const { url, api_key: key } = await readLine(stdout)
    await fetch(`${url}/console/login?next=%2Fconsole%2Fapis`)
    const metrics = await (await fetch(`${url}/metrics`, { headers: { 'api-key': key } })).text()
    const values = new Map(
      metrics
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    )
    const runtime = RUNTIME === 'node' ? `node ${process.versions.node}` : RUNTIME
    expect(
      [...values.keys()].find((name) => name.startsWith('api_discovery_build_info')),
    ).toContain(`{version="${VERSION}",runtime="${runtime}`)
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0.05)
    expect(values.get('process_start_time_seconds')).toBeGreaterThan(Date.now() / 1000 - 600)
    expect(values.get('process_start_time_seconds')).toBeLessThan(Date.now() / 1000)
    expect(values.get('api_discovery_event_loop_delay_seconds')).toBeGreaterThanOrEqual(0)
    expect(values.get('api_discovery_open_connections')).toBeGreaterThanOrEqual(1)
    expect(metrics).toContain('# TYPE process_cpu_seconds_total counter\n')
    const page = 'api_discovery_requests_total{operation="GET /console/login",status="200"}'
    expect(values.get(page)).toBe(1)
    child.kill('SIGTERM')
    // Deno's `node:child_process` reports no exit code of a process that it has signalled.
    await ended
    expect(errors.join('')).toBe('')
    const log = await readFile(join(folder, 'service.log'), 'utf8')
    expect(log).toMatch(
      /^\S+Z info server_started url=http:\S+ version=\S+ database=sqlite pid=\d+$/m,
    )
    expect(log).toMatch(
      /^\S+Z info request method=GET path=\/console\/login operation="GET \/console\/login" status=200 ms=\d+ client_address=127.0.0.1$/m,
    )
    expect(log).toMatch(/^\S+Z info server_stopped signal=SIGTERM$/m)
    expect(log).not.toContain(key)
  })

  it.skipIf(process.platform === 'win32')(
    'that npm started stops when its shell has gone (Windows knows no new parent)',
    async () => {
      const words = ['serve', '--json', '--port', '0', ...IN_MEMORY]
      const runtime = RUNTIME === 'deno' ? ['run', '-A'] : []
      // A second command keeps the shell running, as with npm.
      const shell = spawn(
        'sh',
        ['-c', '"$@"; true', 'sh', process.execPath, ...runtime, MAIN, ...words],
        {
          cwd: folder,
          env: { ...process.env, npm_lifecycle_event: 'start' },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      await readLine(shell.stdout)
      const ended = new Promise((resolve) => shell.stdout.once('close', () => resolve('ended')))
      shell.stdout.resume()
      shell.kill('SIGTERM')
      expect(await ended).toBe('ended')
    },
  )

  for (const listener of ['node', 'native']) {
    it(`ends at a second signal even if a client of its ${listener} listener stalls`, async () => {
      const { child, stdout, ended } = startCli([
        'serve',
        '--seed',
        '--print-setup',
        ...IN_MEMORY,
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
      // The first signal alone would take eight seconds. Signals that arrive together are one.
      let outcome = 'late'
      void ended.then(() => {
        outcome = 'ended'
      })
      for (let tries = 0; tries < 35 && outcome === 'late'; tries += 1) {
        await pause(200)
        if (outcome === 'late') process.kill(pid, 'SIGTERM')
      }
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
