import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../core/shared/bytes.ts'
import { createApplicationReader } from '../../core/traffic/capture/application.ts'
import { createTcpStream } from '../../core/traffic/capture/tcp-stream.ts'
import { toAsciiBytes } from '../helpers/packets.ts'

/** Reading any content of a connection, in any order, ends and releases all memory. */
const SEED = 20_260_103
const RUNS = 4000
const WORDS = [
  'GET / HTTP/1.1\r\n',
  'CONNECT a:1 HTTP/1.1\r\n',
  'Host: a.example\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 70000\r\n',
  `X: ${'y'.repeat(20_000)}\r\n`,
  'HTTP/1.1 200 ',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'PRI ',
  '\x00\x00\x05\x01\x04\x00\x00\x00\x01\x82',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\x00\x40',
  '\r\n',
  '\n',
  ' ',
  '5\r\n',
  '0\r\n',
  'x'.repeat(9000),
].map(toAsciiBytes)

const segment = fc.record({
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  isCut: fc.integer({ min: 0, max: 5 }),
  cutAt: fc.nat({ max: 30 }),
  move: fc.oneof({ weight: 7, arbitrary: fc.constant(0) }, fc.integer({ min: -1000, max: 2000 })),
})

describe('connection streams', () => {
  it('are read completely without buffering', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 40 }),
        fc.boolean(),
        fc.constantFrom(1 << 22, 1 << 12),
        (segments, isDns, limit) => {
          const budget = { used: 0, limit }
          let found = 0
          const count = () => {
            found += 1
          }
          const events = {
            onRequest: count,
            onHello: count,
            onDns: count,
            onServer: count,
            onNothing: count,
          }
          const stream = createTcpStream(createApplicationReader(events, { isDns }), budget)
          let sequence = 2 ** 32 - 5000
          for (const { words, isCut, cutAt, move } of segments) {
            const bytes = concatBytes(words).subarray(0, isCut === 0 ? cutAt : undefined)
            sequence = (sequence + move) >>> 0
            stream.add({ bytes, at: 0, end: bytes.length, sequence })
            sequence += bytes.length
          }
          expect(budget.used).toBeLessThanOrEqual(limit)
          stream.close()
          expect(budget.used).toBe(0)
          expect(found).toBeLessThan(1000)
        },
      ),
      { seed: SEED, numRuns: RUNS },
    )
  })
})
