import { describe, expect, it } from 'vitest'
import { type Answer, printAnswer, toAnswerJson } from '../../adapters/cli/gateway-answer.ts'
import type { CommandIo, Terminal } from '../../adapters/cli/io.ts'

/** Prints an answer: lines and pieces on standard output in order, and the notes. */
async function print(
  answer: Partial<Answer>,
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
    async *input() {},
    giveWay() {},
    setFailed() {},
  }
  await printAnswer(
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

describe('an answer', () => {
  it('is written byte for byte as it comes, its status beside', async () => {
    const body = pieces('\x00\xff', '\x1b[31m')
    expect(await print({ headers: { 'content-type': 'image/png' }, body })).toEqual({
      results: ['\x00\xff', '\x1b[31m'],
      notes: ['200 image/png, 7 bytes'],
    })
  })

  it('is let go of when its reader has seen enough', async () => {
    let hasEnded = false
    async function* endless() {
      try {
        for (let count = 0; count < 100; count += 1) yield Uint8Array.from([97])
      } finally {
        hasEnded = true
      }
    }
    expect(await print({ body: endless() }, { readPieces: 2 })).toEqual({
      results: ['a', 'a'],
      notes: [],
    })
    expect(hasEnded).toBe(true)
  })

  it('may be empty, and of any status', async () => {
    expect(await print({ status: 404 })).toEqual({
      results: [],
      notes: ['404 without content type, 0 bytes'],
    })
  })

  it('has its head before it when that is wanted', async () => {
    const headers = { ...JSON_HEADERS, 'x-a': 'b\x1b[31m' }
    expect(await print({ headers, body: '{}' }, { head: true })).toEqual({
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

  it('shows a terminal nothing that it would obey', async () => {
    const body = pieces('{"a":\t"\x1b[31m', '\xe2\x80', '\xae"}\r\n')
    expect(await print({ headers: JSON_HEADERS, body }, { terminal: TERMINAL })).toEqual({
      results: ['{"a":\t"\\x1b[31m', '', '\\u202e"} \n'],
      notes: ['200 application/json, 19 bytes'],
    })
  })

  it('ends its line on a terminal', async () => {
    const { results } = await print({ headers: JSON_HEADERS, body: '{}' }, { terminal: TERMINAL })
    expect(results).toEqual(['{}', '\n'])
  })

  it('shows a terminal no bytes that are no text', async () => {
    const headers = { ...JSON_HEADERS, 'content-encoding': 'gzip' }
    expect(await print({ headers, body: '\x1f\x8b' }, { terminal: TERMINAL })).toEqual({
      results: [],
      notes: ['200 application/json, 3 bytes of binary data: redirect them to a file'],
    })
  })

  it('is one JSON document when that is wanted, in base64 where it is no text', async () => {
    const one = { status: 201, headers: JSON_HEADERS }
    expect(JSON.parse(await toAnswerJson({ ...one, body: pieces('\xef\xbb\xbf', 'hi') }))).toEqual({
      ...one,
      body: '\ufeffhi',
    })
    expect(JSON.parse(await toAnswerJson({ ...one, body: pieces('\xff\xfe') }))).toEqual({
      ...one,
      body: '//4=',
      encoding: 'base64',
    })
  })
})
