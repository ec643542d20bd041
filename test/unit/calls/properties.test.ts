import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OutgoingCall } from '../../../core/calls/call.ts'
import { ServiceError } from '../../../core/errors.ts'
import { codePoint } from '../../helpers/code-point.ts'
import { runs } from '../../helpers/runs.ts'
import { readNaughtyStrings } from '../../helpers/shared-data.ts'
import { createRequestBody, toPlan, toServer } from './support.ts'

const TRICKS = [
  ...['.', '..', '/', '\\', '%2e', '%2E%2e', '%2f', '%5c', '%00', '\0', '\r\n', '\t', ' ', ''],
  ...['?', '#', '&', '=', ';', '@', ':', '//', 'http://evil.example', '@evil.example', '\u2028'],
  ...['%', '%zz', '+', '[', ']', '{x}', '\ud800', '\u00e9', '\uff0f', '\u3002', 'x', '7'],
]

const tricky = fc.array(fc.constantFrom(...TRICKS), { maxLength: 5 }).map((parts) => parts.join(''))
const text = fc.oneof(
  { weight: 4, arbitrary: tricky },
  { weight: 1, arbitrary: fc.string({ unit: codePoint }) },
  { weight: 2, arbitrary: fc.stringMatching(/^[\w.~ /-]{1,12}$/) },
)
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(text, text, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
)

const STYLES = [undefined, 'simple', 'label', 'matrix']
const QUERY_STYLES = [undefined, 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject']

const NAMES = ['id', 'name', 'q[]', 'raw', 'X-Mark', 'mark', 'note', 'shop', 'version']

/** One plan per combination of styles. */
const plans = STYLES.flatMap((pathStyle) =>
  QUERY_STYLES.flatMap((queryStyle) =>
    [false, true].map((explode) => ({
      pathStyle,
      plan: toPlan({
        method: 'put',
        path: '/users/{id}/files/{name}.json',
        servers: [
          toServer('https://{shop}.example.com/{version}', [
            { name: 'shop', default: 'demo', values: [] },
            { name: 'version', default: 'v1', values: [] },
          ]),
        ],
        body: createRequestBody('application/json', { allowsAdditional: true }),
        parameters: [
          { name: 'id', placement: 'path', type: '', style: pathStyle, explode },
          { name: 'name', placement: 'path', type: '' },
          { name: 'q[]', placement: 'query', type: '', style: queryStyle, explode },
          { name: 'raw', placement: 'query', type: '', allowReserved: true },
          { name: 'X-Mark', placement: 'header', type: '', explode },
          { name: 'mark', placement: 'cookie', type: '', explode },
          { name: 'note', placement: 'body', type: '' },
        ],
      }),
    })),
  ),
)

/** Returns the call, or undefined if it is refused. Other errors fail the test. */
function attempt(build: () => OutgoingCall): OutgoingCall | undefined {
  try {
    return build()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_input') return undefined
    throw error
  }
}

/** Decodes what some servers decode before they parse the path. */
function decodeTwice(path: string): string {
  const decode = (given: string) =>
    given.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decode(decode(path))
}

function expectShape(call: OutgoingCall): void {
  const { url } = call
  expect(url).toMatch(/^https:\/\/[\w.-]+\/[\x21-\x7e]*$/)
  expect(url).not.toMatch(/[\s#\\"<>^`{|}]/)
  const parsed = new URL(url)
  // A parser that normalises URLs changes nothing.
  expect(parsed.href).toBe(url)
  expect(parsed.hostname).toMatch(/^[a-z0-9-]+\.example\.com$/i)
  expect([parsed.port, parsed.username, parsed.password, parsed.hash]).toEqual(['', '', '', ''])
  expect(parsed.pathname).toMatch(/^\/[^/]+\/users\/[^/]+\/files\/[^/]+\.json$/)
  expect(decodeTwice(parsed.pathname).split(/[/\\]/)).not.toContain('..')
  for (const [name, held] of call.headers) {
    expect(name).toMatch(/^[a-z-]+$/)
    expect(held).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/)
  }
  expect(new Set(call.headers.map(([name]) => name)).size).toBe(call.headers.length)
}

describe('Arbitrary values', () => {
  it('produce a request with the same template and host, or are refused', () => {
    let sent = 0
    let tried = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...plans),
        fc.subarray(NAMES, { minLength: 1, maxLength: 3 }),
        fc.array(value, { minLength: 3, maxLength: 3 }),
        ({ plan }, names, given) => {
          tried += 1
          const tricks = names.map((name, index) => [name, given[index]])
          const values = { id: 'a', name: 'b', ...Object.fromEntries(tricks) }
          const call = attempt(() => plan.build(values))
          if (!call) return
          sent += 1
          expectShape(call)
        },
      ),
      { seed: 20, numRuns: runs(10_000) },
    )
    expect(tried).toBe(runs(10_000))
    // Most values are refused: enough must pass for the check to be meaningful.
    expect(sent).toBeGreaterThan(runs(3000))
  })

  it('round-trip if they are strings', () => {
    const simple = plans.find(({ pathStyle }) => pathStyle === undefined)?.plan
    let sent = 0
    fc.assert(
      fc.property(text, text, text, (id, query, note) => {
        const call = simple && attempt(() => simple.build({ id, name: 'x', 'q[]': query, note }))
        if (!call) return
        sent += 1
        const { pathname, searchParams } = new URL(call.url)
        expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(id)
        expect([...searchParams]).toEqual([['q[]', query]])
        const body: unknown = JSON.parse(new TextDecoder().decode(call.body))
        expect(body).toEqual({ note })
      }),
      { seed: 21, numRuns: runs(2000) },
    )
    expect(sent).toBeGreaterThan(runs(300))
  })

  it('from the list of naughty strings keep the template and host, or are refused', () => {
    for (const naughty of readNaughtyStrings()) {
      for (const { plan } of plans.slice(0, 4)) {
        const values = { id: naughty, name: naughty, 'q[]': naughty, raw: naughty, mark: naughty }
        const call = attempt(() => plan.build(values))
        if (call) expectShape(call)
      }
    }
  })
})
