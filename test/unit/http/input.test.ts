import { describe, expect, it } from 'vitest'
import { readCallInput, readInput } from '../../../core/http/input.ts'
import type { Operation } from '../../../core/http/operation.ts'
import { smallOperations } from './small-service.ts'
import { catchError, encodeUtf8, type RequestParts, toHttpRequest } from './support.ts'

const limits = {
  maxBodyBytes: 1_000,
  maxFileBytes: 1_000,
  maxStreamBytes: 1_000,
  maxLineBytes: 100,
}
const operations: Readonly<Record<string, Operation>> = smallOperations

function readOperationInput(
  name: keyof typeof smallOperations,
  parts: RequestParts & { readonly query?: string },
) {
  const { query: queryText = '', ...request } = parts
  const operation = operations[name] as Operation
  const placements = new Map()
  return readInput(operation, {
    request: toHttpRequest(request),
    queryText,
    placements,
    ignored: new Set(),
    limits,
  })
}

async function findIssues(work: () => unknown): Promise<unknown> {
  return ((await catchError(work)) as { readonly issues: unknown }).issues
}

describe('input from a request', () => {
  it('is available synchronously without a body', () => {
    expect(readOperationInput('readForm', { query: 'id=x' })).toEqual({ id: 'x', size: 3 })
    expect(readOperationInput('writeRows', { query: '' })).toEqual({ fail: 0 })
  })

  it('is read from the header, then the query, then the form', async () => {
    const parts = { method: 'POST', query: 'name=query', body: 'name=form&file=x' }
    const withHeader = { ...parts, headers: { name: 'header' } }
    const names = [withHeader, parts, { ...parts, query: '' }].map(
      async (each) => (await readOperationInput('readFile', each)).name,
    )
    expect(await Promise.all(names)).toEqual(['header', 'query', 'form'])
  })

  it('that is repeated is reported once, and not read', async () => {
    const once = [{ in: 'query', name: 'size', message: 'must be present only once' }]
    expect(
      await findIssues(() => readOperationInput('readForm', { query: 'id=x&size=1&size=99' })),
    ).toEqual(once)
    const inForm = { method: 'POST', body: 'id=x&size=1&size=99' }
    expect(await findIssues(() => readOperationInput('readForm', inForm))).toEqual([
      { ...once[0], in: 'form' },
    ])
    expect(await readOperationInput('readForm', { ...inForm, query: 'size=2' })).toEqual({
      id: 'x',
      size: 2,
    })
  })

  it('that is unknown is ignored', async () => {
    const parts = { method: 'POST', query: 'a=1&a=2', body: 'id=x&b=1&b=2&__proto__=3' }
    expect(await readOperationInput('readForm', parts)).toEqual({ id: 'x', size: 3 })
  })
})

describe('input from an in-process caller', () => {
  const call = (name: keyof typeof smallOperations, values: Record<string, unknown>) =>
    readCallInput(operations[name] as Operation, values)

  it("follows the same rules, in the caller's own types", () => {
    expect(call('readForm', { id: 7, size: 2 })).toEqual({ id: '7', size: 2 })
    expect(call('readJson', { q: 'x', body: { a: 1 } })).toEqual({
      q: 'x',
      'x-note': undefined,
      body: { a: 1 },
    })
  })

  it('is rejected with all issues', async () => {
    expect(await findIssues(() => call('readForm', { size: 10 }))).toEqual([
      { in: 'form', name: 'id', message: 'is required' },
      { in: 'form', name: 'size', message: 'must be an integer from 1 to 9' },
    ])
    expect(await findIssues(() => call('readFile', { file: '' }))).toEqual([
      { in: 'header', name: 'name', message: 'is required' },
      { in: 'form', name: 'file', message: 'is required' },
    ])
  })

  it('may contain files as text and bytes, and rows from any iterable', async () => {
    const empty = { filename: '', mediaType: '' }
    for (const file of ['hi', encodeUtf8('hi')]) {
      expect(call('readFile', { name: 'n', file })).toEqual({
        name: 'n',
        file: { bytes: encodeUtf8('hi'), ...empty },
      })
    }
    const { head, rows } = call('readLines', {
      head: { n: 1 },
      rows: new Set([{ n: 2 }, { n: 3 }]),
    })
    const all = []
    for await (const row of rows as AsyncIterable<unknown>) all.push(row)
    expect([head, all]).toEqual([{ n: 1 }, [{ n: 2 }, { n: 3 }]])
  })
})
