import { describe, it } from 'vitest'
import type { FullStorage } from '../../core/ports/storage.ts'
import {
  ADA,
  NOW,
  nameOf,
  readRows,
  sampleEnd,
  sampleRows,
  sampleScan,
  stage,
  submitSample,
} from '../conformance/storage/scan-samples.ts'
import { failAtEachCall } from '../helpers/failing-writes.ts'
import { openFaultySqlite } from '../helpers/faulty-sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'

const SCAN = sampleScan(1, { group: 'shop' })
const OTHER = sampleScan(2, { group: 'shop' })
const ROWS = sampleRows(130)
const SUBJECT = ROWS[1]?.subject ?? ''

describe('a scan write with a driver that fails at any call', () => {
  for (const [name, prepare] of Object.entries(listWrites())) {
    it(`leaves no data: ${name}`, async () => {
      const folder = await makeFolder()
      const { storage, failAt } = await openFaultySqlite(folder.pathOf('scans.db'))
      const end = { keys: ['first'] }
      const { scan } = await submitSample(storage.scans, {
        account: ADA,
        scan: SCAN,
        rows: ROWS,
        end,
      })
      const write = await prepare(storage, scan)
      await failAtEachCall({ failAt, write, takeState: () => takeSnapshot(storage) })
      await storage.close()
      await folder.remove()
    })
  }
})

type Prepare = (storage: FullStorage, scan: number) => Promise<() => Promise<unknown>>

function listWrites(): Readonly<Record<string, Prepare>> {
  const decide = ({ scans }: FullStorage) =>
    scans.review(ADA, {
      scan: SCAN,
      review: {
        by: 'Ada',
        at: NOW,
        reviewStatus: undefined,
        isApproved: 'no',
        rows: [{ subject: SUBJECT, method: undefined, approval: 'yes', reason: 'x' }],
      },
    })
  return {
    'a new scan with the decisions of another': async (storage) => {
      await decide(storage)
      const upload = await stage(storage.scans, { account: ADA, scan: OTHER, rows: ROWS })
      const end = sampleEnd(ROWS, { keys: ['key', 'second'] })
      return () => storage.scans.publish(ADA, { upload, end })
    },
    'one more batch': async ({ scans }) => {
      const upload = await stage(scans, { account: ADA, scan: nameOf(SCAN), rows: ROWS })
      const end = sampleEnd(ROWS, { keys: ['key'], status: 'failed', endedAt: 7 })
      return () => scans.publish(ADA, { upload, end })
    },
    'rows matched anew': async ({ scans }, scan) => {
      const request = { scan, generation: 5 }
      await scans.beginMatching(ADA, request)
      const match = { apiId: 99, endpointId: 98, confidence: 0.5 }
      const matches = ROWS.map((_, place) => ({ place, match, owner: '' }))
      return () => scans.saveMatches(ADA, { ...request, matches })
    },
    'the end of matching': async ({ scans }, scan) => {
      const request = { scan, generation: 5 }
      await scans.beginMatching(ADA, request)
      const matches = ROWS.map((_, place) => ({ place, match: undefined, owner: '2b.example' }))
      await scans.saveMatches(ADA, { ...request, matches })
      return () => scans.finishMatching(ADA, { ...request, at: NOW + 5 })
    },
    'a review': async (storage) => () => decide(storage),
    'a removed scan':
      async ({ scans }) =>
      () =>
        scans.remove(ADA, SCAN),
  }
}

/** Reads all visible scan data of the account. */
async function takeSnapshot(storage: FullStorage): Promise<unknown> {
  const { scans } = storage
  const found = await scans.list(ADA, {
    filter: { kind: 'project' },
    after: undefined,
    limit: 100,
  })
  const rows: unknown[] = []
  for (const { number } of found) rows.push(await readRows(storage, { account: ADA, scan: number }))
  const keys = ['first', 'key', 'second']
  return {
    found,
    rows,
    parts: await Promise.all(keys.map((key) => scans.findBatch(ADA, key))),
    apiIds: await scans.listApiIds(ADA, 'project'),
    totals: await scans.totals(),
  }
}
