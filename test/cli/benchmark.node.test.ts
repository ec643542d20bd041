import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { sampleJob } from '../conformance/storage/job-samples.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type ServedLimiter, serveLimiter } from '../helpers/limiters/serve-limiter.ts'
import { startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

/** Ten calls in a window of two seconds that starts with the first call. */
function createLimiter() {
  let since = 0
  let calls = 0
  return {
    answer: () => {
      const now = Date.now()
      if (now - since >= 2_000) {
        since = now
        calls = 0
      }
      calls += 1
      const isOver = calls > 10
      return {
        status: isOver ? 429 : 200,
        headers: isOver ? ([['retry-after', '2']] as const) : [],
        body: '{}',
        delayMs: 0,
      }
    },
  }
}

let folder: TestFolder
let target: ServedLimiter
let host = ''
const ids: Record<string, string> = {}

beforeAll(async () => {
  folder = await makeFolder()
  target = await serveLimiter(createLimiter())
  host = target.address
  const operation = { responses: { 200: { description: 'Done' } } }
  const size = { name: 'colour', in: 'query', schema: { type: 'string' } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const schema = { type: 'object', properties: { text: { type: 'string' } } }
  const file = folder.pathOf('tides.json')
  const description = {
    openapi: '3.1.0',
    info: { title: 'Tides', version: '1.0.0' },
    servers: [{ url: target.origin }],
    paths: {
      '/tides': {
        get: { ...operation, parameters: [size] },
        post: { ...operation, requestBody: { content: { 'application/json': { schema } } } },
      },
      '/tides/{id}': { delete: { ...operation, parameters: [id] } },
    },
  }
  await writeFile(file, JSON.stringify(description))
  await runCli(['import', file, '--create-vendors'])
  await runCli(['accounts', 'create', 'ci'])
  const found = await runCli(['search', 'tides', '--json'])
  const [api] = JSON.parse(found.results.join('')).endpoints
  for (const each of api.matched_endpoints) ids[each.method] = each.endpoint_id
})

afterAll(async () => {
  await target.close()
  await folder.remove()
})

function runCli(words: readonly string[]): Promise<CommandOutcome> {
  return runCommand(words, {
    environment: {
      API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}`,
      API_DISCOVERY_EGRESS_ALLOW: host,
    },
  })
}

const startTest = (...words: readonly string[]) =>
  runCli(['benchmark', 'start', ids.get ?? '', ...words])

describe('benchmark', () => {
  it('rejects a host without consent and explains how to consent', async () => {
    const refused = await startTest('--account', 'ci')
    const [message = '', operator = '', url = '', token = ''] = refused.notes
    expect([refused.code, refused.results]).toEqual([1, []])
    expect(message).toMatch(`Cannot test ${host}: the operator does not allow it, and`)
    expect(operator).toBe(
      `Either pass --test-host ${host} both here and where the test runs (serve --test-host ${host}),`,
    )
    expect(url).toMatch(
      new RegExp(
        `^or serve this line at ${target.origin}/\\.well-known/api-discovery-acc_\\w+\\.txt:$`,
      ),
    )
    expect(token).toMatch(/^[\w-]{43}$/)
    const consent = await runCli([
      'benchmark',
      'consent',
      ids.get ?? '',
      '--account',
      'ci',
      '--json',
    ])
    expect(consent.code).toBe(1)
    expect(JSON.parse(consent.results.join(''))).toMatchObject({
      host,
      is_given: false,
      by: null,
      token,
      reason: 'other_content',
    })
    const given = await runCli(['benchmark', 'consent', ids.get ?? '', '--test-host', host])
    expect([given.code, given.results[0]]).toEqual([
      0,
      `${host} has consented to tests: the operator allows it.`,
    ])
  })

  it('rejects invalid usage', async () => {
    const open = ['--test-host', host]
    const codes = [
      await startTest('--requests', '1001', ...open),
      await startTest('--rate', '0', ...open),
      await startTest('--value', 'size=1', ...open),
      await startTest('--value', 'nonsense', ...open),
      await startTest('--test-host', 'http://a/b'),
      await startTest('--test-contact', '', ...open),
      await startTest('--test-contact', ' ', ...open),
      await startTest('--test-contact', 'a(b', ...open),
      await runCli(['benchmark', 'start', ids.post ?? '', ...open]),
      await runCli(['benchmark', 'stop']),
      await runCli(['benchmark', 'stop', '1', '--all']),
    ].map(({ code }) => code)
    expect(codes).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2])
    const unknown = await runCli(['benchmark', 'result', ids.get ?? ''])
    expect([unknown.code, unknown.notes]).toEqual([
      1,
      [
        `Rate-limit test of endpoint "${ids.get}" not found. Only the operator's tests were searched: use --account to select an account`,
      ],
    ])
    const ofAccount = await runCli(['benchmark', 'result', ids.get ?? '', '--account', 'ci'])
    expect(ofAccount.notes).toEqual([`Rate-limit test of endpoint "${ids.get}" not found`])
  })

  it('explains how to allow a non-public address', async () => {
    const refused = await startTest('--test-host', host, '--egress-allow', '127.0.0.1:1')
    expect([refused.code, refused.notes]).toEqual([
      1,
      [
        `Cannot call ${host}: its address is not allowed; an operator can allow it with --egress-allow ${host}`,
        'Pass --egress-allow both here and where the test runs.',
      ],
    ])
  })

  it('reports a blocked address together with missing consent', async () => {
    const refused = await startTest('--egress-allow', '127.0.0.1:1')
    expect([refused.code, refused.notes]).toEqual([
      1,
      [
        `Cannot call ${host}: its address is not allowed; an operator can allow it with --egress-allow ${host}`,
        'Pass --egress-allow both here and where the test runs.',
        `The test needs the host's consent as well: --egress-allow ${host} --test-host ${host}, or "benchmark consent".`,
      ],
    ])
  })

  it('names options in validation errors', async () => {
    const open = ['--test-host', host]
    const post = (...words: readonly string[]) =>
      runCli(['benchmark', 'start', ids.post ?? '', ...open, ...words])
    expect((await post()).notes).toEqual([
      'Cannot start the test: POST requests may change data and need confirmation',
      '  --confirm-unsafe is required: every POST request may change data',
    ])
    const large = ['--confirm-unsafe', '--value', `text=${'a'.repeat(2100)}`, '--payload-kb', '1']
    expect((await post(...large)).notes).toEqual([
      'Cannot start the test: the request body is too large',
      '  --payload-kb must be at least 3, the size of the request body',
    ])
    const secret = ['--confirm-unsafe', '--value', 'text=ghp_0123456789abcdefghijABCDEFGHIJ012345']
    expect((await post(...secret)).notes).toEqual([
      'Cannot start the test: invalid values',
      '  --value must not contain the secret "text": store it as a credential of the account and set --use-credentials',
    ])
    for (const command of ['start', 'consent']) {
      const unknown = await runCli(['benchmark', command, ids.get ?? '', ...open, '--server', '7'])
      expect(unknown.notes[1]).toMatch(/^ {2}--server must be one of: /)
    }
    const missing = await runCli([
      'benchmark',
      'start',
      ids.delete ?? '',
      ...open,
      '--confirm-unsafe',
    ])
    expect([missing.code, ...missing.notes.slice(0, 2)]).toEqual([
      2,
      'Cannot call the endpoint: invalid parameters',
      '  --value id is required',
    ])
  })

  it('queues a test, returns it again, lists it and stops it', async () => {
    const open = ['--account', 'ci', '--test-host', host]
    const queued = await startTest('--value', 'colour=blue', ...open)
    expect(queued).toMatchObject({
      code: 0,
      results: [
        `Queued as run 1: at most 60 requests at 5 per second to ${host}. Read the result later.`,
      ],
    })
    expect(queued.notes).toEqual([
      `A server on the same database runs the test. Without one, run: api-discovery jobs run --until-idle --test-host ${host}`,
      `See the result: api-discovery benchmark result ${ids.get} --account ci`,
    ])
    const other = await startTest('--requests', '70', '--payload-kb', '2', ...open)
    expect([other.code, other.notes]).toEqual([
      1,
      [
        'Cannot start another test: run 1 of this endpoint is queued and has different values of --requests, --payload-kb',
      ],
    ])
    const again = await startTest(...open, '--json')
    expect(JSON.parse(again.results.join(''))).toMatchObject({ info: 1 })
    const others = await startTest('--test-host', host)
    expect([others.code, others.notes]).toEqual([
      1,
      [
        `Cannot start the test: ${host} is in use by a test of another account. Try again when that test has ended`,
      ],
    ])
    const list = await runCli(['benchmark', 'list', '--account', 'ci'])
    expect(list.results.map((line) => line.split(/\s{2,}/).slice(0, 6))).toEqual([
      ['RUN', 'ENDPOINT', 'HOST', 'STATE', 'VERDICT', 'SENT'],
      ['1', ids.get, host, 'queued', '-', '0/60'],
    ])
    expect((await runCli(['benchmark', 'list'])).notes).toEqual([
      'No rate-limit tests of the operator; use --account to select an account.',
    ])
    expect((await runCli(['benchmark', 'stop', '1'])).code).toBe(1)
    const stopped = await runCli(['benchmark', 'stop', '1', '--account', 'ci'])
    expect([stopped.code, stopped.results]).toEqual([0, ['Run 1: aborted']])
    expect((await runCli(['benchmark', 'stop', '--all'])).results).toEqual(['Stopped 0'])
    const before = target.requests.filter(({ path }) => path === '/tides')
    expect(before).toEqual([])
  })

  it('runs a test with --wait, prints its result and plots it', async () => {
    const budget = ['--requests', '60', '--rate', '20']
    const ended = await startTest(
      ...budget,
      '--test-host',
      host,
      '--test-contact',
      'me@a.example',
      '--wait',
    )
    expect([ended.code, ended.results[0]]).toEqual([
      0,
      expect.stringMatching(/^Protected: A rate limit was reached after \d+ requests/),
    ])
    expect(ended.notes[0]).toBe(
      `Run 1 is queued: at most 60 requests at 20 per second to ${host}. Ctrl-C stops it.`,
    )
    expect(ended.notes.join('\n')).not.toContain('later')
    const sent = target.requests.filter(({ path }) => path === '/tides')
    expect(sent.length).toBeLessThanOrEqual(60)
    for (const { headers } of sent) {
      expect(headers['user-agent']).toMatch(/^api-discovery\/.+ rate-limit-test .*me@a\.example/)
    }
    const svg = folder.pathOf('plot.svg')
    const shown = await runCli(['benchmark', 'result', ids.get ?? '', '--timeline', '--svg', svg])
    expect(shown.results.map((line) => line.split(/\s{2,}/)[0])).toEqual(
      expect.arrayContaining(['Run', 'Endpoint', 'Sent', 'Limit', 'Served', 'Limited', 'AT']),
    )
    expect(await readFile(svg, 'utf8')).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    const json = await runCli(['benchmark', 'result', ids.get ?? '', '--json'])
    const { extended } = JSON.parse(json.results.join(''))
    expect(extended).toMatchObject({ state: 'done', verdict: 'protected', sent: sent.length })
    expect(extended.requests.length).toBe(sent.length)
  }, 180_000)

  it('resumes the test of a process that died, and runs no other job', async () => {
    const queued = await startTest('--requests', '3', '--test-host', host, '--json')
    const { info } = JSON.parse(queued.results.join(''))
    const storage = await openSqlite({ file: folder.pathOf('apis.db') })
    const { jobs } = storage
    const others = sampleJob({ kind: 'rate-limit-test', createdAt: 0, dueAt: 0 })
    const { id } = await jobs.addJob(others)
    const which = { kind: others.kind, number: info }
    const own = await jobs.findJob({ id: 'operator', name: '' }, which)
    const dead = await jobs.claimJob({
      kinds: [others.kind],
      id: own?.id,
      has: [own?.needs ?? ''],
      now: Date.now(),
      leaseMs: 1,
    })
    expect(dead).toMatchObject({ id: own?.id, needs: `permission to test ${host}` })
    const ended = await startTest('--test-host', host, '--wait', '--json')
    expect(JSON.parse(ended.results.join('')).extended).toMatchObject({
      run: info,
      state: 'done',
      attempts: 2,
    })
    expect(await jobs.findJob(undefined, { id })).toMatchObject({ state: 'queued', attempts: 0 })
    await jobs.cancelJob(undefined, { id, now: Date.now() })
    await storage.close()
  }, 180_000)

  it('leaves a test to a server on the same database, which lists its test hosts', async () => {
    const words = [MAIN, 'serve', '--json', '--port', '0', '--test-host', host]
    const server = await startScript(words, {
      cwd: folder.pathOf('.'),
      environment: {
        API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}`,
        API_DISCOVERY_EGRESS_ALLOW: host,
        API_DISCOVERY_TEST_CONTACT: 'them@a.example',
      },
    })
    try {
      expect(JSON.parse(server.output())).toMatchObject({ test_hosts: [host] })
      const before = target.requests.length
      const budget = ['--requests', '40', '--rate', '20', '--account', 'ci']
      const ended = await startTest(...budget, '--test-host', host, '--wait', '--json')
      expect(ended.code).toBe(0)
      expect(JSON.parse(ended.results.join('')).extended).toMatchObject({ verdict: 'protected' })
      const agents = target.requests.slice(before).map(({ headers }) => headers['user-agent'])
      expect(agents.every((agent) => agent?.includes('them@a.example'))).toBe(true)
    } finally {
      await server.end()
    }
  }, 180_000)
})
