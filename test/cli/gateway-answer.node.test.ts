import { describe, expect, it } from 'vitest'
import {
  type PrintableResponse,
  printResponse,
  toResponseJson,
} from '../../adapters/cli/commands/gateway.ts'
import type { CommandIo, Terminal } from '../../adapters/cli/io.ts'

/** Prints a response. Returns lines and chunks of standard output in order, and the notes. */
async function printAnswerLines(
  answer: Partial<PrintableResponse>,
  given: { terminal?: Terminal; head?: boolean; readPieces?: number } = {},
) {
  const results: string[] = []
  const notes: string[] = []
  const io: CommandIo = {
    isInteractive: given.terminal !== undefined,
    terminal: given.terminal,
    environment: {},
    result: (line) => void results.push(`${line}\n`),
    write: async (bytes) => {
      results.push(Buffer.from(bytes).toString('latin1'))
      return results.length === given.readPieces ? 'gone' : 'ready'
    },
    note: (line) => void notes.push(line),
    status() {},
    readInput: async () => new Uint8Array(0),
    async *streamInput() {},
    lowerPriority() {},
    setFailed() {},
  }
  await printResponse(
    io,
    { status: 200, headers: {}, body: undefined, ...answer },
    { isHeadShown: given.head ?? false },
  )
  return { results, notes }
}

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Uint8Array.from(Buffer.from(text, 'latin1'))
}

const TERMINAL = { columns: 80, hasColors: false }
const JSON_HEADERS = { 'content-type': 'application/json' }

describe('a response', () => {
  it('is written byte for byte as it arrives, with its status as a note', async () => {
    const body = pieces('\x00\xff', '\x1b[31m')
    expect(await printAnswerLines({ headers: { 'content-type': 'image/png' }, body })).toEqual({
      results: ['\x00\xff', '\x1b[31m'],
      notes: ['200 image/png, 7 bytes'],
    })
  })

  it('is cancelled when the reader closes the pipe', async () => {
    let hasEnded = false
    async function* endless() {
      try {
        for (let count = 0; count < 100; count += 1) yield Uint8Array.from([97])
      } finally {
        hasEnded = true
      }
    }
    expect(await printAnswerLines({ body: endless() }, { readPieces: 2 })).toEqual({
      results: ['a', 'a'],
      notes: [],
    })
    expect(hasEnded).toBe(true)
  })

  it('can be empty and have any status', async () => {
    expect(await printAnswerLines({ status: 404 })).toEqual({
      results: [],
      notes: ['404 without content type, 0 bytes'],
    })
  })

  it('is preceded by its head on request', async () => {
    const headers = { ...JSON_HEADERS, 'x-a': 'b\x1b[31m' }
    expect(await printAnswerLines({ headers, body: '{}' }, { head: true })).toEqual({
      results: [
        'HTTP/1.1 200\n',
        'content-type: application/json\n',
        'x-a: b\\x1b[31m\n',
        '\n',
        '{}',
      ],
      notes: ['200 application/json, 2 bytes'],
    })
  })

  it('has control characters escaped on a terminal', async () => {
    const body = pieces('{"a":\t"\x1b[31m', '\xe2\x80', '\xae"}\r\n')
    expect(await printAnswerLines({ headers: JSON_HEADERS, body }, { terminal: TERMINAL })).toEqual(
      {
        results: ['{"a":\t"\\x1b[31m', '', '\\u202e"} \n'],
        notes: ['200 application/json, 19 bytes'],
      },
    )
  })

  it('ends with a line end on a terminal', async () => {
    const { results } = await printAnswerLines(
      { headers: JSON_HEADERS, body: '{}' },
      { terminal: TERMINAL },
    )
    expect(results).toEqual(['{}', '\n'])
  })

  it('is not printed on a terminal if it is binary', async () => {
    const headers = { ...JSON_HEADERS, 'content-encoding': 'gzip' }
    expect(await printAnswerLines({ headers, body: '\x1f\x8b' }, { terminal: TERMINAL })).toEqual({
      results: [],
      notes: ['200 application/json, 3 bytes of binary data: redirect them to a file'],
    })
  })

  it('is one JSON document on request, with a binary body as base64', async () => {
    const one = { status: 201, headers: JSON_HEADERS }
    expect(
      JSON.parse(await toResponseJson({ ...one, body: pieces('\xef\xbb\xbf', 'hi') })),
    ).toEqual({
      ...one,
      body: '\ufeffhi',
    })
    expect(JSON.parse(await toResponseJson({ ...one, body: pieces('\xff\xfe') }))).toEqual({
      ...one,
      body: '//4=',
      encoding: 'base64',
    })
  })
})
