import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSharedData } from '../helpers/shared-data.ts'
import { readTraffic } from '../helpers/traffic.ts'

/** Every request of real HAR files is a flow, compared with a walk over their JSON. */
const data = findSharedData()
const folder = data && join(data, 'captures', 'har')

/** For entries whose URL has no host, the header contains it. */
const WITHOUT_URL = ['harviewer__xml.har']

describe.skipIf(!folder)('HAR files outside the project', () => {
  const names = folder ? readdirSync(folder) : []

  it.each(names)('%s contains a flow for each request', async (name) => {
    const bytes = readFileSync(join(folder ?? '', name))
    const { flows, formats, reports } = await readTraffic([bytes], { pieceBytes: 100_000 })
    expect(formats).toEqual(['har'])
    expect(reports[0]?.damaged).toEqual([])
    const expected = readRequests(bytes)
    expect(flows).toHaveLength(expected.length)
    if (WITHOUT_URL.includes(name)) return
    expect(
      flows.map(({ host, url, method, capturedAt }) => [host, url, method, capturedAt]),
    ).toEqual(expected)
  })
})

function readRequests(bytes: Uint8Array): readonly unknown[] {
  const { log } = JSON.parse(new TextDecoder().decode(bytes))
  return log.entries.map(
    (entry: {
      readonly startedDateTime: string
      readonly request: { url: string; method: string }
    }) => {
      const { url, method } = entry.request
      const parsed = URL.parse(url)
      return [
        parsed?.hostname,
        parsed && parsed.origin + parsed.pathname,
        method.toLowerCase(),
        new Date(entry.startedDateTime).getTime(),
      ]
    },
  )
}
