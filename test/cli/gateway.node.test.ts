import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import {
  bodyText,
  headerValues,
  type MirrorTarget,
  startMirrorTarget,
} from '../helpers/mirror-target.ts'

let folder: TestFolder
let target: MirrorTarget
let apiId = ''
let ids: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  folder = await makeFolder()
  target = await startMirrorTarget()
  const file = folder.pathOf('mirror.json')
  await writeFile(file, JSON.stringify(toDescription(target.origin)))
  await runCli(['import', file, '--create-vendors'])
  await runCli(['accounts', 'create', 'ci'])
  const found = await runCli(['search', 'items', '--json'])
  const [api] = JSON.parse(found.results.join('')).endpoints
  apiId = api.encrypted_id
  ids = findIds(api.matched_endpoints)
})

afterAll(async () => {
  await target.close()
  await folder.remove()
})

beforeEach(() => {
  target.requests.length = 0
  target.answer(() => undefined)
})

function runCli(words: readonly string[], input = ''): Promise<CommandOutcome> {
  return runCommand(words, {
    environment: {
      API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}`,
      API_DISCOVERY_EGRESS_ALLOW: target.address,
    },
    input: new TextEncoder().encode(input),
  })
}

describe('gateway', () => {
  it('calls an endpoint and writes its response byte for byte', async () => {
    target.answer(() => ({ body: 'ok\n', headers: [['content-type', 'text/plain']] }))
    const outcome = await runCli(['gateway', ids.get ?? '', 'id=a b', 'page:=2', 'tag=x', 'tag=y'])
    expect(outcome).toEqual({
      code: 0,
      results: [],
      notes: ['200 text/plain, 3 bytes'],
      bytes: new TextEncoder().encode('ok\n'),
    })
    expect(target.requests.map(({ method, target: line }) => [method, line])).toEqual([
      ['GET', '/v1/items/a%20b?page=2&tag=x&tag=y'],
    ])
  })

  it('sends a JSON body of values of every type', async () => {
    await runCli(['gateway', ids.post ?? '', 'name=cat', 'count:=3', 'more:={"a":[1,null]}'])
    expect(target.requests.map((request) => JSON.parse(bodyText(request)))).toEqual([
      { name: 'cat', count: 3, more: { a: [1, null] } },
    ])
  })

  it('sends nothing in a dry run, and masks secrets', async () => {
    const set = ['gateway', 'credentials', 'set', '--account', 'ci', '--api', apiId]
    const stored = await runCli([...set, '--kind', 'header', '--name', 'X-Key'], 's3cr3t\n')
    expect([stored.code, stored.notes]).toEqual([
      0,
      [`The credential is sent only to ${target.origin}.`],
    ])
    const planned = await runCli(['gateway', ids.get ?? '', 'id=7', '--dry-run', '--account', 'ci'])
    expect([planned.code, target.requests]).toEqual([0, []])
    const [line, ...rest] = planned.results
    expect([line, planned.notes]).toEqual([
      `GET ${target.origin}/v1/items/7`,
      ['Nothing was sent.'],
    ])
    expect(rest.slice(-2)).toEqual([
      '',
      expect.stringContaining(`curl --globoff --path-as-is -X GET ${target.origin}/v1/items/7 `),
    ])
    expect(planned.results.join('\n')).not.toContain('s3cr3t')
    const json = await runCli(['gateway', ids.get ?? '', 'id=7', '--dry-run', '--json'])
    expect(JSON.parse(json.results.join(''))).toEqual({
      request: expect.objectContaining({ method: 'GET', body: null }),
      curl: expect.stringMatching(/^curl /),
    })
    await runCli(['gateway', ids.get ?? '', 'id=7', '--account', 'ci'])
    await runCli(['gateway', ids.get ?? '', 'id=8'])
    expect(target.requests.map((request) => headerValues(request, 'x-key'))).toEqual([
      ['s3cr3t'],
      [],
    ])
    const [id = ''] = stored.results
    const listed = await runCli(['gateway', 'credentials', 'list', '--account', 'ci'])
    expect(listed.results.join('\n')).toContain(id)
    expect(listed.results.join('\n')).not.toContain('s3cr3t')
    expect(await runCli(['gateway', 'credentials', 'remove', id, '--account', 'ci'])).toEqual({
      code: 0,
      results: [],
      notes: [],
    })
    const gone = await runCli(['gateway', 'credentials', 'list', '--account', 'ci'])
    expect(gone.notes).toEqual([
      'No credentials in this account yet. Add one: api-discovery gateway credentials set --help',
    ])
  })

  it('decrypts credentials after a rotation of the secret', async () => {
    const set = ['gateway', 'credentials', 'set', '--account', 'ci', '--api', apiId]
    const { results } = await runCli([...set, '--kind', 'header', '--name', 'X-Key'], 's3cr3t')
    expect(await runCli(['secret', 'rotate'])).toMatchObject({
      code: 0,
      notes: [expect.stringMatching(/^Re-encrypted 1 keys and credentials\. /)],
    })
    expect(await runCli(['secret', 'rotate', '--finish'])).toMatchObject({ code: 0 })
    await runCli(['gateway', ids.get ?? '', 'id=7', '--account', 'ci'])
    expect(target.requests.map((request) => headerValues(request, 'x-key'))).toEqual([['s3cr3t']])
    await runCli(['gateway', 'credentials', 'remove', results[0] ?? '', '--account', 'ci'])
  })

  it.each([
    [404, 4],
    [503, 5],
    [302, 0],
  ])('maps status %i of the target to exit code %i', async (status, code) => {
    target.answer(() => ({ status, body: 'no' }))
    const outcome = await runCli(['gateway', ids.get ?? '', 'id=1', '--json'])
    expect([outcome.code, JSON.parse(outcome.results.join(''))]).toEqual([
      code,
      { status, headers: expect.objectContaining({ 'content-type': 'text/plain' }), body: 'no' },
    ])
  })

  it('lists the parameters of an endpoint if values are invalid', async () => {
    const { code, results, notes } = await runCli(['gateway', ids.get ?? '', 'page=x', 'wrong=1'])
    const text = notes.join('\n')
    expect([code, results, target.requests]).toEqual([2, [], []])
    for (const part of ['id', 'page', 'wrong', 'tag', 'integer']) expect(text).toContain(part)
  })

  it('explains in a dry run why the call would be rejected', async () => {
    const words = ['gateway', ids.get ?? '', 'id=1', '--egress-allow', '10.0.0.0/8', '--dry-run']
    const { code, notes } = await runCli(words)
    expect([code, notes]).toEqual([
      0,
      [
        `The call would be rejected. Cannot call ${target.address}: its address is not allowed; an operator can allow it with --egress-allow ${target.address}`,
      ],
    ])
  })

  it.each([
    [['credentails', 'list'], 'credentials'],
    [['histroy'], 'history'],
  ])('suggests a subcommand for %j', async ([typed = '', ...rest], suggestion) => {
    expect(await runCli(['gateway', typed, ...rest])).toEqual({
      code: 2,
      results: [],
      notes: [`error: unknown command '${typed}'`, `(Did you mean ${suggestion}?)`],
      bytes: undefined,
    })
  })

  it('explains why there was no response', async () => {
    const outcome = await runCli(['gateway', ids.get ?? '', 'id=1', '--egress-allow', '10.0.0.0/8'])
    expect([outcome.code, outcome.results, target.requests]).toEqual([1, [], []])
    expect(outcome.notes).toEqual([
      `Cannot call ${target.address}: its address is not allowed; an operator can allow it with --egress-allow ${target.address}`,
    ])
    expect(await runCli(['gateway', 'absent1'])).toMatchObject({
      code: 1,
      notes: ['Endpoint "absent1" not found', 'List what exists: api-discovery search WORDS'],
    })
    expect(await runCli(['gateway', ids.get ?? '', 'id=1', '--egress-allow', '1.2.3.4.5'])).toEqual(
      {
        code: 2,
        results: [],
        notes: [
          'Cannot use --egress-allow: Invalid entry "1.2.3.4.5": must be an address, a CIDR range or a name, with or without a port',
        ],
      },
    )
  })

  it('lists the parameters of an endpoint for the operation too', async () => {
    const words = ['--endpoint_id', ids.get ?? '', '--body', '{"page":"x"}']
    const { code, notes } = await runCli(['call', 'callEndpoint', ...words])
    expect([code, notes[0]]).toEqual([2, 'Cannot call the endpoint: invalid parameters'])
    for (const part of ['  page must', '  id ', 'NAME', 'tag']) {
      expect(notes.join('\n')).toContain(part)
    }
  })

  it('prints the destinations of both secrets of an OAuth2 credential', async () => {
    const set = ['gateway', 'credentials', 'set', '--account', 'ci', '--api', apiId]
    const oauth = [
      '--kind',
      'oauth2',
      '--client-id',
      'me',
      '--token-url',
      'https://a.example/token',
    ]
    const { results, notes } = await runCli([...set, ...oauth], 's3cr3t')
    expect(notes).toEqual([
      `The client secret is sent only to https://a.example/token, and its access tokens only to ${target.origin}.`,
    ])
    await runCli(['gateway', 'credentials', 'remove', results[0] ?? '', '--account', 'ci'])
  })

  it('explains what to do if the API has moved', async () => {
    const set = ['gateway', 'credentials', 'set', '--account', 'ci', '--api', apiId]
    const other = ['--kind', 'header', '--name', 'X-Key', '--origin', 'https://other.example']
    const { results } = await runCli([...set, ...other], 's3cr3t')
    expect(await runCli(['gateway', ids.get ?? '', 'id=7', '--account', 'ci'])).toEqual({
      code: 1,
      results: [],
      notes: [
        `Cannot send the stored credential to ${target.origin}: it is confirmed for https://other.example. Store it again to confirm the new origin; see "gateway credentials set --help"`,
      ],
    })
    await runCli(['gateway', 'credentials', 'remove', results[0] ?? '', '--account', 'ci'])
  })

  it("lists the operator's own calls without an account", async () => {
    await runCli(['gateway', ids.get ?? '', 'id=1'])
    const { results } = await runCli(['gateway', 'history', '--size', '1'])
    expect(results.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['CALLER', 'ENDPOINT', 'METHOD', 'ORIGIN', 'STATUS', 'FAILURE', 'BYTES', 'MS'],
      [
        'command line',
        ids.get,
        'GET',
        target.origin,
        '200',
        '-',
        expect.any(String),
        expect.any(String),
      ],
    ])
  })

  it('aborts calls after the timeout', async () => {
    target.answer(() => 'silent')
    const words = ['gateway', ids.get ?? '', 'id=1', '--call-timeout-seconds', '1']
    expect(await runCli(words)).toEqual({
      code: 1,
      results: [],
      notes: [`Cannot call ${target.origin}: no complete response within 1 s`],
    })
  })

  it('does not take parameters of the endpoint for options of the service', async () => {
    for (const value of ['service=x', 'service:={"storage":null}']) {
      const { code, notes } = await runCli(['gateway', 'aAaAaAa', value, '--dry-run'])
      expect([code, notes[0]]).toEqual([1, 'Endpoint "aAaAaAa" not found'])
    }
  })

  it('records only for an account', async () => {
    expect(await runCli(['gateway', ids.get ?? '', 'id=1', '--record'])).toEqual({
      code: 2,
      results: [],
      notes: ['Cannot record the response: --record needs --account'],
    })
    expect(target.requests).toEqual([])
  })

  it.each([
    ['user name and password', ['--username', 'ada'], 'p:w\n', 'ada:p:w'],
    ['both from standard input, so that neither is seen', [], 'sk_key:p:w\n', 'sk_key:p:w'],
    ['a key as user name alone', [], 'sk_key\n', 'sk_key:'],
  ])('stores basic credentials: %s', async (_, words, input, sent) => {
    const set = ['gateway', 'credentials', 'set', '--account', 'ci', '--api', apiId]
    const { results } = await runCli([...set, '--kind', 'BasicAuth', ...words], input)
    await runCli(['gateway', ids.get ?? '', 'id=7', '--account', 'ci'])
    expect(target.requests.map((request) => headerValues(request, 'authorization'))).toEqual([
      [`Basic ${Buffer.from(sent).toString('base64')}`],
    ])
    await runCli(['gateway', 'credentials', 'remove', results[0] ?? '', '--account', 'ci'])
  })

  it('lists history and recordings of the account', async () => {
    target.answer(() => ({
      body: '{"token":"s3cr3t","n":1}',
      headers: [['content-type', 'application/json']],
    }))
    await runCli(['gateway', ids.get ?? '', 'id=1', '--record', '--account', 'ci'])
    const history = await runCli(['gateway', 'history', '--account', 'ci', '--size', '1', '--json'])
    expect(JSON.parse(history.results.join('')).calls).toMatchObject([
      {
        ...{ endpoint_id: ids.get, key_id: '', caller: 'command line', method: 'GET' },
        ...{ origin: target.origin, status: 200, bytes: 24 },
      },
    ])
    const past = await runCli(['gateway', 'history', '--account', 'ci', '--size=1', '--page=99'])
    expect(past.notes).toEqual([expect.stringMatching(/^Page 99 of \d+, \d+ calls\.$/)])
    const list = await runCli(['gateway', 'recordings', 'list', '--account', 'ci', '--json'])
    const [{ recording_id: id }] = JSON.parse(list.results.join('')).recordings
    const shown = await runCli(['gateway', 'recordings', 'show', id, '--account', 'ci'])
    expect(JSON.parse(shown.results.join('\n'))).toMatchObject({ status: 200 })
    expect(shown.results.join('\n')).not.toContain('s3cr3t')
    const published = await runCli(['gateway', 'recordings', 'publish', id, '--account', 'ci'])
    expect(published.code).toBe(0)
    const example = await runCli(['call', 'getEndpointExample', '--endpoint_id', ids.get ?? ''])
    expect(example.results.join('')).toContain(String.raw`\"n\":1`)
    for (const words of [
      ['unpublish', ids.get ?? ''],
      ['remove', id],
    ]) {
      const { code } = await runCli(['gateway', 'recordings', ...words, '--account', 'ci'])
      expect([words, code]).toEqual([words, 0])
    }
    const none = await runCli(['gateway', 'recordings', 'list', '--account', 'ci'])
    expect(none.results).toEqual([])
  })

  it('sets, lists and removes policies', async () => {
    await runCli(['keys', 'create', '--account', 'ci', '--scopes', 'call'])
    const { results } = await runCli(['keys', 'list', '--account', 'ci', '--json'])
    const [{ id: keyId }] = JSON.parse(results.join(''))
    const words = ['--account', 'ci']
    const set = ['gateway', 'policies', 'set', keyId, '--method', 'GET', '--daily-budget', '5']
    expect(await runCli([...set, '--vendor', 'Nobody', ...words])).toMatchObject({ code: 2 })
    expect(await runCli([...set, '--api', apiId, ...words])).toEqual({
      code: 0,
      results: [],
      notes: [],
    })
    const list = await runCli(['gateway', 'policies', 'list', ...words])
    expect(list.results.map((line) => line.split(/ {2,}/))).toEqual([
      ['KEY', 'VENDORS', 'APIS', 'METHODS', 'DAILY BUDGET'],
      [keyId, 'any', expect.stringMatching(/^\d+$/), 'GET', '5'],
    ])
    expect(await runCli(['gateway', 'policies', 'remove', keyId, ...words])).toMatchObject({
      code: 0,
    })
    expect(await runCli(['gateway', 'policies', 'remove', keyId, ...words])).toMatchObject({
      code: 1,
    })
  })
})

function toDescription(origin: string) {
  const responses = { 200: { description: 'Done' } }
  const schema = { type: 'string' }
  return {
    openapi: '3.0.3',
    info: { title: 'Mirror', version: '1.0.0', 'x-providerName': 'mirror.example' },
    servers: [{ url: `${origin}/v1` }],
    security: [{}, { key: [] }, { basic: [] }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
    paths: {
      '/items/{id}': {
        get: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema },
            { name: 'page', in: 'query', schema: { type: 'integer' } },
            { name: 'tag', in: 'query', schema: { type: 'array', items: schema } },
          ],
          responses,
        },
      },
      '/items': {
        post: {
          requestBody: { content: { 'application/json': { schema: BODY } } },
          responses,
        },
      },
    },
  }
}

const BODY = {
  type: 'object',
  properties: { name: { type: 'string' }, count: { type: 'integer' }, more: { type: 'object' } },
}

/** Short IDs by method. */
function findIds(
  endpoints: readonly { readonly method: string; readonly endpoint_id: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    endpoints.map(({ method, endpoint_id: id }) => [method.toLowerCase(), id]),
  )
}
