import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { NewJob } from '../../core/jobs/records.ts'
import { sampleJob } from '../conformance/storage/job-samples.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

let folder: TestFolder
let ci = ''
let ids: readonly number[] = []

beforeAll(async () => {
  folder = await makeFolder()
  ci = (await runCli(['accounts', 'create', 'ci'])).results.join('')
  const { jobs, close } = await openSqlite({ file: folder.pathOf('apis.db') })
  const samples: readonly Partial<NewJob>[] = [
    { accountId: ci, subject: 'aB3dE5f' },
    { accountId: ci, kind: 'other', subject: '' },
    { accountId: 'of the host', subject: '\u001b[31mred' },
  ]
  const added = await Promise.all(samples.map((sample) => jobs.addJob(sampleJob(sample))))
  ids = added.map(({ id }) => id)
  await jobs.claimJob({ kinds: ['other'], now: Date.now(), leaseMs: 15_000 })
  await close()
})

afterAll(() => folder.remove())

function runCli(words: readonly string[]): Promise<CommandOutcome> {
  return runCommand(words, {
    environment: { API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}` },
  })
}

async function listIds(words: readonly string[]): Promise<readonly number[]> {
  const { results } = await runCli(['jobs', 'list', '--json', ...words])
  return JSON.parse(results.join('')).jobs.map(({ id }: { readonly id: number }) => id)
}

describe('jobs', () => {
  it('are listed newest first, of all accounts or of one, as a table and as JSON', async () => {
    const [one = 0, two = 0, three = 0] = ids
    const list = await runCli(['jobs', 'list'])
    expect(list.results.map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'KIND', 'SUBJECT', 'ACCOUNT', 'STATE', 'ATTEMPTS', 'QUEUED', 'ENDED', 'FAILURE'],
      [
        ...[`${three}`, 'sample', expect.not.stringContaining('\u001b'), 'of the host', 'queued'],
        ...['0 of 3', '2026-06-01T12:00:00.000Z', '-', '-'],
      ],
      [
        ...[`${two}`, 'other', '-', 'ci', 'running', '1 of 3', '2026-06-01T12:00:00.000Z'],
        ...['-', '-'],
      ],
      [
        ...[`${one}`, 'sample', 'aB3dE5f', 'ci', 'queued', '0 of 3'],
        ...['2026-06-01T12:00:00.000Z', '-', '-'],
      ],
    ])
    expect(await listIds([])).toEqual([three, two, one])
    expect(await listIds(['--account', 'ci'])).toEqual([two, one])
    expect(await listIds(['--kind', 'sample'])).toEqual([three, one])
    expect(await listIds(['--state', 'running', '--account', ci])).toEqual([two])
    const short = await runCli(['jobs', 'list', '--size', '1'])
    expect([short.results.length, short.notes]).toEqual([
      2,
      ['1 of 3 jobs shown: use --size for more.'],
    ])
    const none = await runCli(['jobs', 'list', '--state', 'failed'])
    expect([none.code, none.results, none.notes]).toEqual([0, [], ['No jobs found.']])
  })

  it('are cancelled at once, or by their worker', async () => {
    const [one = 0, two = 0, three = 0] = ids
    const waiting = await runCli(['jobs', 'cancel', `${one}`])
    expect([waiting.code, waiting.notes]).toEqual([0, [`Job ${one} is aborted.`]])
    const running = await runCli(['jobs', 'cancel', `${two}`])
    expect(running.notes).toEqual([`Job ${two} is running and will be stopped by its worker.`])
    expect((await runCli(['jobs', 'list', '--kind', 'other'])).results[1]).toMatch(
      'running, cancelled',
    )
    const shown = await runCli(['jobs', 'cancel', `${one}`, '--json'])
    expect(JSON.parse(shown.results.join(''))).toEqual({
      id: one,
      number: 1,
      kind: 'sample',
      subject: 'aB3dE5f',
      account_id: ci,
      state: 'aborted',
      is_cancelled: true,
      needs: '',
      attempts: 0,
      max_attempts: 3,
      created_at: '2026-06-01T12:00:00.000Z',
      due_at: '2026-06-01T12:00:00.000Z',
      started_at: null,
      ended_at: expect.any(String),
      failure: 'Cancelled',
    })
    const unknown = await runCli(['jobs', 'cancel', `${three + 1}`])
    expect([unknown.code, unknown.notes]).toEqual([
      1,
      [`Job ${three + 1} not found`, 'List what exists: api-discovery jobs list'],
    ])
    expect((await runCli(['jobs', 'cancel', 'first'])).code).toBe(2)
  })

  it('run until none is due; unknown kinds remain queued', async () => {
    const done = await runCli(['jobs', 'run', '--until-idle', '--concurrency', '2'])
    expect([done.code, done.results, done.notes]).toEqual([0, [], []])
    expect(await listIds(['--state', 'queued'])).toEqual(ids.slice(2))
  })

  it('are reported one by one, counted, and listed if they need another worker', async () => {
    const storage = await openSqlite({ file: folder.pathOf('apis.db') })
    const needs = 'permission to test api.example.com:443'
    const queue = async () => {
      // The endpoint does not exist, so these jobs fail.
      const input = '{"endpoint":"aB3dE5f"}'
      const kind = { kind: 'rate-limit-test', input, maxAttempts: 1 }
      const bad = await storage.jobs.addJob(sampleJob(kind))
      const early = { createdAt: Date.now(), dueAt: Date.now() }
      const left = await storage.jobs.addJob(sampleJob({ ...kind, ...early, needs, subject: '' }))
      return [bad.id, left.id] as const
    }
    const [, left] = await queue()
    const told = await runCli(['jobs', 'run', '--until-idle'])
    expect([told.code, told.results]).toEqual([0, []])
    // Log lines are in between.
    expect(told.notes.filter((line) => !line.startsWith('{'))).toEqual([
      expect.stringMatching(
        /^Job \d+, rate-limit-test of weather: failed after \d+\.\d s: Endpoint /,
      ),
      `Job ${left}, rate-limit-test: needs a worker with ${needs}`,
      '1 job: 1 failed.',
    ])
    await storage.jobs.cancelJob(undefined, { id: left, now: Date.now() })
    const [again, other] = await queue()
    const { results } = await runCli(['jobs', 'run', '--until-idle', '--json'])
    expect(results.map((line) => JSON.parse(line))).toEqual([
      {
        id: again,
        number: expect.any(Number),
        kind: 'rate-limit-test',
        subject: 'weather',
        account_id: 'ada-1',
        attempts: 1,
        outcome: 'failed',
        failure: 'Endpoint "aB3dE5f" not found',
        ms: expect.any(Number),
      },
      { done: 0, failed: 1, aborted: 0, released: 0, lost: 0, waiting: 1 },
    ])
    await storage.jobs.cancelJob(undefined, { id: other, now: Date.now() })
    // Due for more than a day, and not claimed.
    const kind = { kind: 'rate-limit-test', subject: '' }
    const late = await storage.jobs.addJob(sampleJob({ ...kind, needs }))
    const soon = { createdAt: Date.now(), dueAt: Date.now() }
    const hidden = await storage.jobs.addJob(sampleJob({ ...kind, ...soon, needs }))
    for (let n = 0; n < 100; n += 1) await storage.jobs.addJob(sampleJob({ kind: 'other' }))
    const ended = await runCli(['jobs', 'run', '--until-idle'])
    expect(ended.notes).toEqual([
      `Job ${late.id}, rate-limit-test: failed: Not started within an hour: it requires a worker with ${needs}`,
      `Job ${hidden.id}, rate-limit-test: needs a worker with ${needs}`,
      '1 job: 1 failed.',
    ])
    await storage.close()
  })
})
