import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { writeRows } from '../../../core/http/json-stream.ts'
import type { Body } from '../../../core/http/operation.ts'
import { readHeadAndRows, readNdjson } from '../../../core/http/rows-input.ts'
import { JsonText } from '../../../core/shared/json-text.ts'
import { catchError, encodeUtf8, readText, toHttpRequest } from './support.ts'

async function* inBatches(...batches: readonly (readonly unknown[])[]) {
  for (const batch of batches) yield batch
}

async function collectValues<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

describe('written rows', () => {
  it('are one JSON document, in any batches', async () => {
    const rows = fc.array(fc.array(fc.jsonValue(), { maxLength: 4 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(rows, async (batches) => {
        const body = writeRows({ rows: inBatches(...batches) }, {})
        expect(await readText({ body })).toBe(JSON.stringify(batches.flat()))
      }),
      { seed: 7, numRuns: 100 },
    )
  })

  it('follow their head and precede their tail', async () => {
    const result = { head: { a: 1 }, rows: inBatches([1], [], [2]), tail: () => ({ b: 2 }) }
    expect(await readText({ body: writeRows(result, { at: 'rows' }) })).toBe(
      '{"a":1,"rows":[1,2],"b":2}',
    )
    expect(await readText({ body: writeRows({ rows: inBatches() }, { at: 'rows' }) })).toBe(
      '{"rows":[]}',
    )
    expect(await readText({ body: writeRows({ rows: inBatches() }, {}) })).toBe('[]')
  })

  it('report the bytes before their tail', async () => {
    const rows = inBatches(Array.from({ length: 3_000 }, (_, index) => `ü${index}`))
    let told = 0
    const tail = (bytes: number) => {
      told = bytes
      return { end: true }
    }
    const text = await readText({ body: writeRows({ head: { é: 1 }, rows, tail }, { at: 'at' }) })
    expect(told).toBe(encodeUtf8(text).length - encodeUtf8(',"end":true}').length)
  })

  it('are written unchanged if they are JSON text', async () => {
    const rows = inBatches([new JsonText('{"b": 2}')], [1, new JsonText('"ü"')])
    expect(await readText({ body: writeRows({ rows }, { at: 'rows' }) })).toBe(
      '{"rows":[{"b": 2},1,"ü"]}',
    )
  })

  it('are nested in a member, whose size the tail receives', async () => {
    const within = { at: 'inner', before: { ä: 'ö' } }
    for (const count of [0, 1, 9_000]) {
      const rows = inBatches(Array.from({ length: count }, (_, index) => `ü${index}`))
      const tail = (bytes: number) => ({ bytes })
      const body = writeRows({ head: { é: 1 }, rows, tail }, { at: 'rows', within })
      const text = await readText({ body })
      const { inner, bytes } = JSON.parse(text)
      expect(text).toBe(JSON.stringify({ ä: 'ö', inner, bytes }))
      expect(inner.rows.length).toBe(count)
      expect(bytes).toBe(encodeUtf8(JSON.stringify(inner)).length)
    }
    const bare = writeRows({ rows: inBatches() }, { at: 'a', within: { at: 'b', before: {} } })
    expect(await readText({ body: bare })).toBe('{"b":{"a":[]}}')
  })

  it('arrive in chunks of bounded size, read on demand', async () => {
    let batches = 0
    async function* endless() {
      for (;;) {
        batches += 1
        yield Array.from({ length: 100 }, () => 'x'.repeat(98))
      }
    }
    const stream = writeRows({ rows: endless() }, {})[Symbol.asyncIterator]()
    const sizes: number[] = []
    for (let count = 0; count < 5; count += 1) sizes.push((await stream.next()).value?.length ?? 0)
    await stream.return?.()
    expect(sizes.every((size) => size >= 32 * 1024 && size < 33 * 1024)).toBe(true)
    expect(batches).toBeLessThan(20)
  })

  it('break off with the error of their source', async () => {
    async function* failing() {
      yield [1]
      throw new Error('gone')
    }
    const error = await catchError(() =>
      readText({ body: writeRows({ rows: failing() }, { at: 'a' }) }),
    )
    expect(error).toMatchObject({ message: 'gone' })
  })
})

describe('newline-delimited JSON', () => {
  const limits = { maxBytes: 1_000, maxLineBytes: 100 }
  const read = (...chunks: readonly (string | Uint8Array)[]) =>
    collectValues(readNdjson(toHttpRequest({ body: chunks }).body, limits))

  it('is read line by line, regardless of chunk boundaries', async () => {
    const bytes = encodeUtf8('{"a":"ü"}\r\n\n[1]\n  \n"last"')
    const expected = [
      { line: 1, value: { a: 'ü' } },
      { line: 3, value: [1] },
      { line: 5, value: 'last' },
    ]
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(expected)
    }
    expect(await read()).toEqual([])
  })

  it('reports the invalid line', async () => {
    expect(await catchError(() => read('1\n{"a":}\n2'))).toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('Cannot read line 2'),
    })
    expect(await catchError(() => read('1\n', new Uint8Array([0xff, 0x0a])))).toMatchObject({
      code: 'invalid_body',
    })
  })

  it('has a limit for a line and for the whole body', async () => {
    const long = JSON.stringify('x'.repeat(200))
    expect(await catchError(() => read(long))).toMatchObject({ code: 'too_large' })
    expect(await catchError(() => read(`${long}\n`))).toMatchObject({ code: 'too_large' })
    expect(
      await catchError(() => read(...Array.from({ length: 20 }, () => `${'1'.repeat(60)}\n`))),
    ).toMatchObject({
      code: 'too_large',
      message: 'Cannot read the body: at most 1000 bytes are accepted',
    })
  })
})

describe('a body of head and rows', () => {
  const body = {
    kind: 'ndjson',
    at: 'items',
    head: v.strictObject({ name: v.string() }),
    row: v.strictObject({ n: v.number() }),
  } as const satisfies Body
  const limits = {
    maxBodyBytes: 1_000,
    maxFileBytes: 10_000,
    maxStreamBytes: 10_000,
    maxLineBytes: 100,
  }

  async function read(text: string, contentType: string) {
    const request = toHttpRequest({
      method: 'POST',
      body: text,
      headers: { 'content-type': contentType },
    })
    const { head, rows } = await readHeadAndRows(body, { request, limits })
    return { head, rows: await collectValues(rows as AsyncIterable<unknown>) }
  }

  it('is the same as one object and line by line', async () => {
    const expected = { head: { name: 'a' }, rows: [{ n: 1 }, { n: 2 }] }
    expect(await read('{"name":"a","items":[{"n":1},{"n":2}]}', 'application/json')).toEqual(
      expected,
    )
    for (const label of ['application/x-ndjson', 'application/jsonl', 'application/json-lines']) {
      expect(await read('{"name":"a"}\n{"n":1}\n{"n":2}\n', label)).toEqual(expected)
    }
    expect(await read('{"name":"a"}', 'application/json')).toEqual({
      head: { name: 'a' },
      rows: [],
    })
  })

  it('is detected by its bytes if clients label it differently', async () => {
    const expected = { head: { name: 'a' }, rows: [{ n: 1 }, { n: 2 }] }
    for (const label of ['application/json', 'application/x-www-form-urlencoded', '']) {
      expect(await read('{"name":"a"}\r\n\n{"n":1}\r\n{"n":2}', label)).toEqual(expected)
      expect(await read('{"name":"a",\n"items":[{"n":1},\n{"n":2}]}', label)).toEqual(expected)
      expect(await read('{"name":"a"}\n', label)).toEqual({ head: { name: 'a' }, rows: [] })
    }
    for (const text of ['{"name":"a"}\n[1]', '{"name":"a"\n{"n":1}']) {
      const error = await catchError(() => read(text, 'application/json'))
      expect(error).toMatchObject({ code: 'invalid_body' })
    }
  })

  it('reports at most its first hundred issues', async () => {
    const items = JSON.stringify(Array.from({ length: 300 }, () => 1))
    const error = await catchError(() => read(`{"name":1,"items":${items}}`, 'application/json'))
    const { issues } = error as { readonly issues: readonly { readonly name: string }[] }
    expect([issues.length, issues[0]?.name, issues[99]?.name]).toEqual([100, 'name', 'items.98'])
  })

  it.each([
    ['{"items":[]}', 'application/json', ['name']],
    ['{"name":"a","x":1}', 'application/json', ['x']],
    ['{"name":"a","items":{}}', 'application/json', ['items']],
    [
      '{"name":"a","items":[{"n":1},{"n":"1","m":2}]}',
      'application/json',
      ['items.1.n', 'items.1.m'],
    ],
    ['{"name":1,"items":[1,{"n":"1"}]}', 'application/json', ['name', 'items.0', 'items.1.n']],
    ['', 'application/json', ['name']],
    ['{"name":1}\n{"n":1}', 'application/x-ndjson', ['name']],
    ['{"name":"a"}\n{"n":1}\n{}', 'application/x-ndjson', ['line 3: n']],
  ])('reports all issues in %s', async (text, contentType, names) => {
    const error = await catchError(() => read(text, contentType))
    expect(error).toMatchObject({ code: 'invalid_input' })
    expect((error as { issues: { name: string }[] }).issues.map(({ name }) => name)).toEqual(names)
  })

  it('reports the missing head if there is no first line', async () => {
    const error = await catchError(() => read('', 'application/x-ndjson'))
    expect(error).toMatchObject({ code: 'invalid_input' })
  })
})
