import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OutgoingCall } from '../../../core/calls/call.ts'
import { toCurl, toDryRun } from '../../../core/calls/dry-run.ts'
import { codePoint } from '../../helpers/code-point.ts'
import { createRequestBody, toPlan } from './support.ts'

const SECRET = 'canary/value+1'

function callOf(more: Partial<OutgoingCall> = {}): OutgoingCall {
  return {
    method: 'POST',
    url: 'https://api.example.com/v1/things',
    headers: [],
    body: undefined,
    secrets: [],
    ...more,
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Runs a command line in a POSIX shell; returns the arguments of curl and its standard input. */
function runInShell(line: string): { readonly words: readonly string[]; readonly input: Buffer } {
  const script = `curl() { for word do printf '%s\\0' "$word"; done; printf '\\0'; case "$*" in *@-) cat;; esac; }\n${line}`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script])
  expect([stderr.toString(), status]).toEqual(['', 0])
  const end = stdout.indexOf('\0\0')
  return {
    words: stdout.subarray(0, end).toString().split('\0'),
    input: stdout.subarray(end + 2),
  }
}

describe('A dry run', () => {
  it('is the request as plain data', () => {
    const headers = [
      ['x-a', '1'],
      ['x-a', '2'],
      ['content-type', 'text/plain'],
    ] as const
    expect(toDryRun(callOf({ headers, body: encode('hé') }))).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/things',
      headers: { 'x-a': '1, 2', 'content-type': 'text/plain' },
      body: 'hé',
    })
    expect(toDryRun(callOf({ body: new Uint8Array([0, 255]) })).body).toEqual({ base64: 'AP8=' })
    expect(toDryRun(callOf()).body).toBe(null)
  })

  it('contains only the length of a body above 1 MiB', () => {
    const body = new Uint8Array(1024 * 1024 + 1).fill(97)
    const secrets = [{ placement: 'body', name: 'a' }] as const
    expect(toDryRun(callOf({ body, secrets })).body).toEqual({ bytes: 1024 * 1024 + 1 })
    expect(toCurl(callOf({ body, secrets }))).toBe(
      'curl --globoff --path-as-is -X POST https://api.example.com/v1/things --data-binary @body',
    )
    expect(toDryRun(callOf({ body: body.subarray(1) })).body).toBe('a'.repeat(1024 * 1024))
  })

  it('masks secrets in the path, the query, headers and cookies', () => {
    const plan = toPlan({
      path: '/{token}/{id}',
      parameters: [
        { name: 'token', placement: 'path' },
        { name: 'id', placement: 'path' },
        { name: 'api_key', placement: 'query' },
        { name: 'q', placement: 'query' },
        { name: 'Authorization', placement: 'header' },
        { name: 'X-Api-Key', placement: 'header' },
        { name: 'sid', placement: 'cookie', format: 'password' },
        { name: 'theme', placement: 'cookie' },
      ],
    })
    const call = plan.build({
      token: SECRET,
      id: 'a',
      api_key: SECRET,
      q: 'b',
      Authorization: `Bearer ${SECRET}`,
      'X-Api-Key': SECRET,
      sid: SECRET,
      theme: 'dark',
    })
    expect(toDryRun(call)).toEqual({
      method: 'GET',
      url: 'https://api.example.com/v1/***/a?api_key=***&q=b',
      headers: {
        authorization: 'Bearer ***',
        'x-api-key': '***',
        cookie: 'sid=***; theme=dark',
      },
      body: null,
    })
  })

  it.each([
    ['application/json', '{"password":"***","note":"n"}'],
    ['application/x-www-form-urlencoded', 'password=***&note=n'],
    [
      'multipart/form-data',
      [
        '--api-discovery-form-1',
        'content-disposition: form-data; name="password"',
        '',
        '***',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="note"',
        '',
        'n',
        '--api-discovery-form-1--',
        '',
      ].join('\r\n'),
    ],
  ])('masks secrets in %s', (mediaType, masked) => {
    const plan = toPlan({
      method: 'post',
      body: createRequestBody(mediaType),
      parameters: [
        { name: 'password', placement: 'body' },
        { name: 'note', placement: 'body' },
      ],
    })
    const call = plan.build({ password: SECRET, note: 'n' })
    expect(toDryRun(call).body).toBe(masked)
    expect(toCurl(call)).not.toContain('canary')
  })

  it('shows other values next to a secret as they are sent', () => {
    const plan = toPlan({
      method: 'post',
      body: createRequestBody('application/json', { allowsAdditional: true }),
      parameters: [
        { name: 'id', placement: 'body', type: 'integer' },
        { name: 'password', placement: 'body', type: '' },
        { name: 'amount', placement: 'body', type: 'number' },
      ],
    })
    const more = { id: '12345678901234567890', amount: '1.10', 7: { password: 'p', list: ['},"'] } }
    for (const password of [SECRET, 'a"b\\', { [SECRET]: [SECRET, '}'] }, [[SECRET], 1], 7, true]) {
      const call = plan.build({ ...more, password })
      expect(toDryRun(call).body).toBe(
        '{"id":12345678901234567890,"password":"***","amount":1.10,"7":{"password":"p","list":["},\\""]}}',
      )
    }
  })

  it('masks a whole query or body if it cannot be parsed', () => {
    const secrets = [
      { placement: 'querystring', name: 'all' },
      { placement: 'body', name: 'body' },
    ] as const
    const url = `https://api.example.com/?${encodeURIComponent(SECRET)}`
    const call = callOf({ url, secrets, body: encode(SECRET) })
    expect([toDryRun(call).url, toDryRun(call).body]).toEqual([
      'https://api.example.com/?***',
      '***',
    ])
  })
})

describe('A curl command', () => {
  it('is readable', () => {
    const call = callOf({
      headers: [['content-type', 'application/json']],
      body: encode(`{"a":"it's"}`),
    })
    expect(toCurl(call)).toBe(
      `curl --globoff --path-as-is -X POST https://api.example.com/v1/things -H 'content-type: application/json' --data-raw '{"a":"it'\\''s"}'`,
    )
    expect(toCurl(callOf({ method: 'HEAD', headers: [['x-empty', '']] }))).toBe(
      `curl --globoff --path-as-is --head https://api.example.com/v1/things -H 'x-empty;'`,
    )
  })

  it('passes the exact arguments through a shell', () => {
    const text = fc.string({ unit: codePoint }).filter((given) => !given.includes('\0'))
    fc.assert(
      fc.property(text, text, fc.webQueryParameters(), (value, body, query) => {
        const url = `https://api.example.com/v1/things?${query}`
        const bytes = encode(body)
        const line = toCurl(callOf({ url, headers: [['x-a', value]], body: bytes }))
        const header = value.trim() === '' ? 'x-a;' : `x-a: ${value}`
        const data = bytes.length === 0 ? [] : ['--data-raw', new TextDecoder().decode(bytes)]
        expect(runInShell(line).words).toEqual([
          ...['--globoff', '--path-as-is', '-X', 'POST', url, '-H'],
          new TextDecoder().decode(encode(header)),
          ...data,
        ])
      }),
      { seed: 7, numRuns: 60, examples: [['$(echo x)`id`\'"\\!\n', "'\\''\n\n", 'a=$HOME']] },
    )
  })

  it('pipes a binary body from printf', () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index)
    const { words, input } = runInShell(toCurl(callOf({ body })))
    expect(words.slice(-2)).toEqual(['--data-binary', '@-'])
    expect(new Uint8Array(input)).toEqual(body)
  })
})
