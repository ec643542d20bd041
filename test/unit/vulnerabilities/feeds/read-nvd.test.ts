import { describe, expect, it } from 'vitest'
import type { FeedEvent } from '../../../../core/vulnerabilities/feeds/events.ts'
import { readNvdFeed } from '../../../../core/vulnerabilities/feeds/read-nvd.ts'
import { collectUntilError, toChunks } from './bytes.ts'

describe('readNvdFeed', () => {
  it('yields the records of JSON 2.0 in batches, and the metadata', async () => {
    const vulnerabilities = Array.from({ length: 120 }, (_, index) => toItem(1000 + index))
    const { events, error } = await readEvents(
      JSON.stringify({
        resultsPerPage: 450,
        startIndex: 2000,
        totalResults: 360_000,
        format: 'NVD_CVE',
        version: '2.0',
        timestamp: '2030-01-02T03:04:05.123',
        vulnerabilities,
      }),
    )
    expect(error).toBeUndefined()
    expect(events.map(({ records }) => records.length)).toEqual([50, 50, 20])
    expect(events.flatMap(idsOf)).toEqual(vulnerabilities.map(({ cve }) => cve.id))
    for (const event of events) {
      expect(event.problems).toEqual([])
      expect(event.head).toEqual({
        madeAt: Date.UTC(2030, 0, 2, 3, 4, 5, 123),
        totalResults: 360_000,
        resultsPerPage: 450,
        startIndex: 2000,
      })
    }
  })

  it('yields the records of JSON 1.1, too', async () => {
    const { events, error } = await readEvents(
      JSON.stringify({
        CVE_data_type: 'CVE',
        CVE_data_numberOfCVEs: '1',
        CVE_data_timestamp: '2024-01-01T08:01Z',
        CVE_Items: [
          {
            cve: {
              CVE_data_meta: { ID: 'CVE-2018-0001' },
              description: { description_data: [{ lang: 'en', value: 'A rocket.' }] },
            },
            publishedDate: '2018-01-02T03:04Z',
            lastModifiedDate: '2018-01-02T03:04Z',
          },
        ],
      }),
    )
    expect([events.length, events.flatMap(idsOf), error]).toEqual([1, ['CVE-2018-0001'], undefined])
    expect(events[0]?.head).toEqual({
      madeAt: Date.UTC(2024, 0, 1, 8, 1),
      totalResults: 1,
      resultsPerPage: undefined,
      startIndex: undefined,
    })
  })

  it.each([
    ['an array of items', [toItem(1000), toItem(1001)]],
    ['an array of records', [toItem(1000).cve, toItem(1001).cve]],
    ['a mixture', { vulnerabilities: [toItem(1000)], CVE_Items: [toItem(1001)] }],
  ])('reads %s', async (_, document) => {
    const { events, error } = await readEvents(JSON.stringify(document))
    expect([events.flatMap(idsOf), error]).toEqual([['CVE-2030-1000', 'CVE-2030-1001'], undefined])
  })

  it('reads a single record', async () => {
    const { events, error } = await readEvents(JSON.stringify(toItem(1000)))
    expect([events.flatMap(idsOf), error]).toEqual([['CVE-2030-1000'], undefined])
  })

  it('reads an empty feed', async () => {
    const { events, error } = await readEvents('{"totalResults":0,"vulnerabilities":[]}')
    expect(events).toEqual([{ records: [], problems: [], head: { totalResults: 0 } }])
    expect(error).toBeUndefined()
  })

  it('reports broken records and continues', async () => {
    const broken = { cve: { ...toItem(1001).cve, published: 'once' } }
    const items = [toItem(1000), broken, {}, toItem(1002)].map((item) => JSON.stringify(item))
    const { events, error } = await readEvents(`{"vulnerabilities":[${items.join(',')},{"cve":x}]}`)
    expect([events.flatMap(idsOf), error]).toEqual([['CVE-2030-1000', 'CVE-2030-1002'], undefined])
    expect(events.flatMap(({ problems }) => problems)).toEqual([
      { id: undefined, message: 'Cannot read a record: it is not valid JSON' },
      {
        id: 'CVE-2030-1001',
        message: 'Cannot read CVE-2030-1001: published must be a timestamp',
      },
      { id: undefined, message: 'Cannot read a record: id must be a CVE ID' },
    ])
  })

  it('yields the intact records of a truncated feed', async () => {
    const json = JSON.stringify({ vulnerabilities: [toItem(1000), toItem(1001), toItem(1002)] })
    const { events, error } = await readEvents(json.slice(0, -30))
    expect(events.flatMap(idsOf)).toEqual(['CVE-2030-1000', 'CVE-2030-1001'])
    expect(error).toBe('Cannot read the document: it is truncated')
  })

  it.each([
    ['{}', 'it contains no CVE records'],
    ['{"message":"Not found"}', 'it contains no CVE records'],
    ['<html></html>', 'it is not JSON'],
  ])('rejects %s', async (document, reason) => {
    const { events, error } = await readEvents(document)
    expect(events.flatMap(idsOf)).toEqual([])
    expect(error).toBe(`Cannot read the document: ${reason}`)
  })
})

async function readEvents(json: string) {
  const { items, error } = await collectUntilError(readNvdFeed(toChunks(json, [1000])))
  return { events: items, error }
}

function idsOf(event: FeedEvent): readonly string[] {
  return event.records.map(({ id }) => id)
}

function toItem(sequence: number) {
  return {
    cve: {
      id: `CVE-2030-${sequence}`,
      published: '2030-01-02T03:04:05.000',
      lastModified: '2030-01-02T03:04:05.000',
      descriptions: [{ lang: 'en', value: 'A rocket.' }],
    },
  }
}
