import { type BodyLimits, decodeUtf8, parseJsonObject, readBytes } from './body.ts'
import { checkValue, invalidInput } from './check.ts'
import type { HttpRequest } from './message.ts'
import { readNdjson } from './ndjson.ts'
import type { Body } from './operation.ts'
import type { InputIssue } from './problems.ts'

type RowsBody = Extract<Body, { kind: 'ndjson' }>
type Input = Readonly<Record<string, unknown>>

/**
 * Head and rows of a body that is newline-delimited JSON (first line the head), or one JSON
 * object that holds the rows as an array.
 */
export async function readHeadAndRows(
  body: RowsBody,
  source: { readonly request: HttpRequest; readonly limits: BodyLimits },
): Promise<Input> {
  const { request, limits } = source
  if (!/json(l|lines|-lines)|ndjson/i.test(request.header('content-type') ?? '')) {
    const text = decodeUtf8(await readBytes(request.body, limits.maxFileBytes))
    return fromOneDocument(body, text.trim() === '' ? {} : parseJsonObject(text))
  }
  const lines = readNdjson(request.body, {
    maxBytes: limits.maxStreamBytes,
    maxLineBytes: limits.maxLineBytes,
  })[Symbol.asyncIterator]()
  const first = await lines.next()
  const issues: InputIssue[] = []
  const head = checkValue(body.head, first.done ? undefined : first.value.value, issues)
  if (issues.length > 0) throw invalidInput(issues)
  const rest = { [Symbol.asyncIterator]: () => lines }
  return { head, rows: checkRows(body, mapValues(rest)) }
}

function fromOneDocument(body: RowsBody, value: Input): Input {
  const { [body.at]: rows, ...head } = value
  if (rows !== undefined && !Array.isArray(rows)) {
    throw invalidInput([{ in: 'body', name: body.at, message: 'must be an array' }])
  }
  const issues: InputIssue[] = []
  const checked = checkValue(body.head, head, issues)
  if (issues.length > 0) throw invalidInput(issues)
  return { head: checked, rows: checkRows(body, toAsync(rows ?? [])) }
}

async function* mapValues(lines: AsyncIterable<{ readonly value: unknown }>) {
  for await (const { value } of lines) yield value
}

/** Any iterable as an asynchronous one. */
export async function* toAsync(values: Iterable<unknown> | AsyncIterable<unknown>) {
  yield* values
}

/** The rows, each checked as it passes. */
export async function* checkRows(
  body: RowsBody,
  values: AsyncIterable<unknown>,
): AsyncIterable<unknown> {
  let index = 0
  for await (const value of values) {
    const issues: InputIssue[] = []
    const row = checkValue(body.row, value, issues)
    if (issues.length > 0) {
      throw invalidInput(
        issues.map((issue) => ({ ...issue, name: `${body.at}.${index}.${issue.name}` })),
      )
    }
    yield row
    index += 1
  }
}
