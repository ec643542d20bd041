import { describe, expect, it } from 'vitest'
import type { CveEvent } from '../../../../core/vulnerabilities/feeds/cve-batch.ts'
import { readCveFeed } from '../../../../core/vulnerabilities/feeds/read-cve.ts'
import { toCve5 } from '../../../helpers/cve-records.ts'
import { collectUntilError, toChunks } from './bytes.ts'

const ONE = toCve5('CVE-2030-0001')
const TWO = toCve5('CVE-2030-0002')
const BOM = '\ufeff'

async function read(text: string, sizes?: readonly number[], maxItemBytes?: number) {
  const events = readCveFeed(toChunks(text, sizes), { maxItemBytes })
  const { items, error } = await collectUntilError<CveEvent>(events)
  return {
    ids: items.flatMap(({ records }) => records.map(({ id }) => id)),
    problems: items.flatMap(({ problems }) => problems.map(({ message }) => message)),
    batches: items.map(({ records }) => records.length),
    error,
  }
}

describe('readCveFeed', () => {
  it.each([
    ['one record', JSON.stringify(ONE), ['CVE-2030-0001']],
    ['a record over several lines', JSON.stringify(ONE, null, 4), ['CVE-2030-0001']],
    ['an array', JSON.stringify([ONE, TWO], null, 2), ['CVE-2030-0001', 'CVE-2030-0002']],
    ['one record a line', [ONE, TWO].map(toLine).join(''), ['CVE-2030-0001', 'CVE-2030-0002']],
    [
      'no last line break',
      [ONE, TWO].map(toLine).join('').trimEnd(),
      ['CVE-2030-0001', 'CVE-2030-0002'],
    ],
    ['a byte order mark', BOM + toLine(ONE), ['CVE-2030-0001']],
  ])('reads %s, regardless of its chunks', async (_, text, ids) => {
    for (const sizes of [[text.length * 2], [1], [2, 7, 64]]) {
      expect(await read(text, sizes)).toMatchObject({ ids, problems: [], error: undefined })
    }
  })

  it('yields batches of 50', async () => {
    const lines = Array.from({ length: 120 }, (_, index) =>
      toLine(toCve5(`CVE-2030-${1000 + index}`)),
    )
    expect(await read(lines.join(''))).toMatchObject({ batches: [50, 50, 20], error: undefined })
  })

  it('reports a broken line and reads the others', async () => {
    const broken = toLine(ONE).slice(0, 100)
    expect(await read(`${toLine(TWO)}${broken}\n${toLine(ONE)}`)).toMatchObject({
      ids: ['CVE-2030-0002', 'CVE-2030-0001'],
      problems: ['Cannot read CVE-2030-0001: it is truncated'],
    })
  })

  it('reports an invalid record and a record that is too long', async () => {
    const long = toCve5('CVE-2030-0003', { description: 'x'.repeat(5_000) })
    const invalid = toCve5('CVE-2030-0004', { updatedAt: '' })
    expect(await read([long, invalid, ONE].map(toLine).join(''), undefined, 2_000)).toMatchObject({
      ids: ['CVE-2030-0001'],
      problems: [
        'Cannot read CVE-2030-0003: it is longer than 2000 bytes',
        'Cannot read CVE-2030-0004: dateUpdated must be a timestamp',
      ],
      error: undefined,
    })
  })

  it.each([
    ['{"fetchTime":"2030-01-01T00:00:00Z","new":[],"updated":[]}'],
    ['[{"fetchTime":"2030-01-01T00:00:00Z"}]'],
    ['[]'],
  ])('rejects JSON without records: %s', async (text) => {
    expect((await read(text)).error).toBe('Cannot read the document: it contains no CVE records')
  })

  it.each([
    ['', 'it is empty'],
    ['   ', 'it is empty'],
    ['<html>', 'it is not JSON'],
    [toLine(ONE).slice(0, -10), 'it is truncated'],
  ])('rejects a document that is not JSON: %j', async (text, reason) => {
    expect((await read(text)).error).toBe(`Cannot read the document: ${reason}`)
  })

  it('reports other objects among records', async () => {
    expect(await read(`${toLine(ONE)}{"a":1}\n`)).toMatchObject({
      ids: ['CVE-2030-0001'],
      problems: ['Cannot read 1 items: not CVE records'],
    })
  })
})

function toLine(record: object): string {
  return `${JSON.stringify(record)}\n`
}
