import { type InputIssue, ServiceError } from '../errors.ts'
import { concatBytes } from '../shared/bytes.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import { type BodyLimits, decodeUtf8, parseJson, parseJsonObject, readBytes } from './body.ts'
import { checkValue, createInvalidInputError } from './input-issues.ts'
import type { HttpRequest } from './message.ts'
import type { Body } from './operation.ts'

type RowsBody = Extract<Body, { kind: 'ndjson' }>
type Input = Readonly<Record<string, unknown>>

/**
 * Reads head and rows from newline-delimited JSON, whose first line is the head, or from one JSON
 * object with the rows as an array.
 */
export async function readHeadAndRows(
  body: RowsBody,
  source: { readonly request: HttpRequest; readonly limits: BodyLimits },
): Promise<Input> {
  const { request, limits } = source
  if (/json(l|lines|-lines)|ndjson/i.test(request.header('content-type') ?? '')) {
    return readHeadAndLines(body, request.body, {
      maxBytes: limits.maxStreamBytes,
      maxLineBytes: limits.maxLineBytes,
    })
  }
  const bytes = await readBytes(request.body, limits.maxFileBytes)
  const text = decodeUtf8(bytes)
  if (isNdjson(text)) {
    const { maxFileBytes: maxBytes, maxLineBytes } = limits
    return readHeadAndLines(body, toAsyncIterable([bytes]), { maxBytes, maxLineBytes })
  }
  return readRowsDocument(body, text.trim() === '' ? {} : parseJsonObject(text))
}

/**
 * Detects a JSON object on the first line with another one after it: clients also mislabel such
 * bodies.
 */
function isNdjson(text: string): boolean {
  const end = text.indexOf('\n')
  if (end === -1 || !/^\s*\{/.test(text.slice(end))) return false
  try {
    parseJsonObject(text.slice(0, end))
    return true
  } catch {
    return false
  }
}

async function readHeadAndLines(
  body: RowsBody,
  bytes: AsyncIterable<Uint8Array> | undefined,
  limits: { readonly maxBytes: number; readonly maxLineBytes: number },
): Promise<Input> {
  const lines = readNdjson(bytes, limits)[Symbol.asyncIterator]()
  const first = await lines.next()
  const issues: InputIssue[] = []
  const head = checkValue(body.head, first.done ? undefined : first.value.value, issues)
  if (issues.length > 0) throw createInvalidInputError(issues)
  const rest = { [Symbol.asyncIterator]: () => lines }
  return { head, rows: checkNamedRows(body, nameRowsByLine(rest)) }
}

/** Reports all issues of the document together. */
async function readRowsDocument(body: RowsBody, value: Input): Promise<Input> {
  const { [body.at]: rows = [], ...head } = value
  const issues: InputIssue[] = []
  const checked = checkValue(body.head, head, issues)
  const checkedRows: unknown[] = []
  if (Array.isArray(rows)) {
    const pause = createYieldIfDue()
    for (const [index, row] of rows.entries()) {
      if (issues.length >= MAX_ISSUES) break
      checkedRows.push(checkRow(body, { row, toName: nameByIndex(body, index) }, issues))
      await pause()
    }
  } else issues.push({ in: 'body', name: body.at, message: 'must be an array' })
  if (issues.length > 0) throw createInvalidInputError(issues.slice(0, MAX_ISSUES))
  return { head: checked, rows: toAsyncIterable(checkedRows) }
}

const MAX_ISSUES = 100

interface NamedRow {
  readonly row: unknown
  /**
   * Returns the name for an issue with a member of the row; an empty `member` means the row itself.
   */
  toName(member: string): string
}

function checkRow(body: RowsBody, { row, toName }: NamedRow, issues: InputIssue[]): unknown {
  const found: InputIssue[] = []
  const checked = checkValue(body.row, row, found)
  for (const issue of found) issues.push({ ...issue, name: toName(issue.name) })
  return checked
}

function nameByIndex({ at }: RowsBody, index: number): NamedRow['toName'] {
  return (member) => (member === '' ? `${at}.${index}` : `${at}.${index}.${member}`)
}

async function* nameRowsByLine(
  lines: AsyncIterable<{ readonly line: number; readonly value: unknown }>,
): AsyncIterable<NamedRow> {
  for await (const { line, value } of lines) {
    yield {
      row: value,
      toName: (member) => (member === '' ? `line ${line}` : `line ${line}: ${member}`),
    }
  }
}

/** Converts any iterable to an asynchronous one. */
export async function* toAsyncIterable<T>(
  values: Iterable<T> | AsyncIterable<T>,
): AsyncIterable<T> {
  yield* values
}

/** Yields the rows and checks each as it passes. */
export async function* checkRows(
  body: RowsBody,
  values: AsyncIterable<unknown>,
): AsyncIterable<unknown> {
  yield* checkNamedRows(body, nameRowsByIndex(body, values))
}

async function* nameRowsByIndex(
  body: RowsBody,
  values: AsyncIterable<unknown>,
): AsyncIterable<NamedRow> {
  let index = 0
  for await (const row of values) {
    yield { row, toName: nameByIndex(body, index) }
    index += 1
  }
}

async function* checkNamedRows(
  body: RowsBody,
  rows: AsyncIterable<NamedRow>,
): AsyncIterable<unknown> {
  for await (const named of rows) {
    const issues: InputIssue[] = []
    const row = checkRow(body, named, issues)
    if (issues.length > 0) throw createInvalidInputError(issues)
    yield row
  }
}

const NEWLINE = 0x0a

/**
 * Parses the lines of a newline-delimited JSON body as they arrive, with one line in memory. Skips
 * empty lines. Throws `too_large` for a line above `maxLineBytes` or a body above `maxBytes`, and
 * `invalid_body` for a line that is not valid JSON.
 */
export async function* readNdjson(
  body: HttpRequest['body'],
  limits: { readonly maxBytes: number; readonly maxLineBytes: number },
): AsyncIterable<{ readonly line: number; readonly value: unknown }> {
  let line = 0
  for await (const bytes of splitLines(body, limits)) {
    line += 1
    const text = decodeUtf8(bytes).trim()
    if (text === '') continue
    yield { line, value: parseJsonLine(text, line) }
  }
}

function parseJsonLine(text: string, line: number): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    const detail = cause instanceof ServiceError ? cause.message : 'it is not valid JSON'
    throw new ServiceError('invalid_body', `Cannot read line ${line}: ${detail}`, { cause })
  }
}

async function* splitLines(
  body: HttpRequest['body'],
  limits: { readonly maxBytes: number; readonly maxLineBytes: number },
): AsyncIterable<Uint8Array> {
  let rest: Uint8Array[] = []
  let restLength = 0
  let total = 0
  for await (const chunk of body ?? []) {
    total += chunk.byteLength
    if (total > limits.maxBytes) throw createNdjsonTooLargeError('the body', limits.maxBytes)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (restLength + end - start > limits.maxLineBytes) {
        throw createNdjsonTooLargeError('a line', limits.maxLineBytes)
      }
      rest.push(chunk.subarray(start, end))
      yield concatBytes(rest)
      rest = []
      restLength = 0
      start = end + 1
    }
    restLength += chunk.byteLength - start
    if (restLength > limits.maxLineBytes)
      throw createNdjsonTooLargeError('a line', limits.maxLineBytes)
    if (start < chunk.byteLength) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield concatBytes(rest)
}

function createNdjsonTooLargeError(subject: string, maxBytes: number): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot read ${subject}: at most ${maxBytes} bytes are accepted`,
  )
}
