import { stringifyJson } from '../shared/json-text.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import type { RowsOutput, RowsResult } from './operation.ts'

const CHUNK_CHARACTERS = 32 * 1024

/**
 * Writes rows as one JSON document: `[row, …]`, or `{ …head, "<at>": [row, …], …tail }`, or `{
 * …before, "<within>": { …head, "<at>": [row, …] }, …tail }`. Buffers one batch at most and yields
 * chunks of about 32 KiB. Yields to the event loop between chunks when its time slice is over.
 */
export async function* writeRows(
  result: RowsResult<unknown, unknown, unknown>,
  { at, within }: Pick<RowsOutput, 'at' | 'within'>,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const pause = createYieldIfDue()
  const before = within ? `${openMembers(within.before)}${JSON.stringify(within.at)}:` : ''
  let written = -encoder.encode(before).byteLength
  let text = before
  text += at === undefined ? '[' : `${openMembers(result.head)}${JSON.stringify(at)}:[`
  let separator = ''
  const start = pause()
  if (start) await start
  for await (const batch of result.rows) {
    for (const row of batch) {
      text += separator + stringifyJson(row)
      separator = ','
      if (text.length >= CHUNK_CHARACTERS) {
        const bytes = encoder.encode(text)
        written += bytes.byteLength
        yield bytes
        text = ''
        const turn = pause()
        if (turn) await turn
      }
    }
  }
  text += within ? ']}' : ']'
  const tail = result.tail?.(written + encoder.encode(text).byteLength)
  if (at !== undefined) text += closeMembers(tail)
  yield encoder.encode(text)
}

/** Returns `{` and the members, with a trailing comma if there are any. */
function openMembers(head: unknown): string {
  const members = JSON.stringify(head ?? {}).slice(1, -1)
  return members === '' ? '{' : `{${members},`
}

function closeMembers(tail: unknown): string {
  const members = JSON.stringify(tail ?? {}).slice(1, -1)
  return members === '' ? '}' : `,${members}}`
}
