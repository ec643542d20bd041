import { describe, expect, it } from 'vitest'
import type { NewReview } from '../../../core/scans/records.ts'
import type { ScanName, StoredScan } from '../../../core/scans/store.ts'
import type { WithStorage } from '../storage.ts'
import {
  ADA,
  BOB,
  NOW,
  nameOf,
  readRows,
  sampleEnd,
  sampleRow,
  sampleRows,
  sampleScan,
  stage,
  submitSample,
} from './scan-samples.ts'

const EMPTY_REVIEW: NewReview = {
  by: 'Key',
  at: NOW + 50,
  reviewStatus: undefined,
  isApproved: undefined,
  rows: [],
}

export function describeScanChanges(withStorage: WithStorage): void {
  describe('repeated matching of scans', () => {
    it('changes the selected rows, counts, APIs and generation', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const { scan: number } = await submitSample(scans, {
          account: ADA,
          scan,
          rows: sampleRows(600),
        })
        const asked = { scan: number, generation: 5 }
        expect(await scans.beginMatching(ADA, asked)).toBe(true)
        const match = { apiId: 30, endpointId: 31, confidence: 0.75 }
        const matches = Array.from({ length: 600 }, (_, place) => ({
          place,
          match: place % 2 === 0 ? match : undefined,
          owner: place % 2 === 0 ? '' : `2host${place % 3}.example`,
        }))
        for (const half of [matches.slice(0, 300), matches.slice(300)]) {
          expect(await scans.saveMatches(ADA, { ...asked, matches: half })).toBe(true)
        }
        expect(await scans.find(ADA, scan)).toMatchObject({ generation: 1, matched: 300 })
        expect(await scans.finishMatching(ADA, { ...asked, at: NOW + 7 })).toBe(true)
        expect(await scans.find(ADA, scan)).toMatchObject({
          generation: 5,
          analyzedAt: NOW + 7,
          rows: 600,
          matched: 300,
        })
        expect(await scans.listApiIds(ADA, 'project')).toEqual([30])
        const rows = await readRows(storage, { account: ADA, scan: number })
        expect(rows.map(({ place, match, owner }) => ({ place, match, owner }))).toEqual(matches)
        expect(await scans.beginMatching(ADA, asked)).toBe(false)
        expect(await scans.beginMatching(ADA, { scan: number, generation: 4 })).toBe(false)
      }))

    it('is confirmed in one step without changes, unless one was interrupted', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = sampleScan(1)
        await submitSample(scans, { account: ADA, scan, rows: sampleRows(3) })
        const find = async () => {
          const found = await scans.find(ADA, scan)
          if (!found) throw new Error('No scan')
          return found
        }
        const confirm = async (account: typeof ADA, generation: number, read = find()) =>
          scans.confirmMatching(account, { scan: await read, generation, at: NOW + 9 })
        const before = await find()
        expect(await confirm(BOB, 5)).toBeUndefined()
        expect(await find()).toEqual(before)
        const review = { ...EMPTY_REVIEW, reviewStatus: 'in_progress' } as const
        await scans.review(ADA, { scan, review })
        const reviewed = await find()
        expect(reviewed).not.toEqual(before)
        const confirmed = await confirm(ADA, 5, Promise.resolve(before))
        expect(confirmed).toEqual({ ...reviewed, generation: 5, analyzedAt: NOW + 9 })
        expect(await find()).toEqual(confirmed)
        expect(await confirm(ADA, 6, Promise.resolve(before))).toBeUndefined()
        const rows = sampleRows(1, 3)
        const read = await find()
        const upload = await stage(scans, { account: ADA, scan: nameOf(scan), rows })
        await scans.publish(ADA, { upload, end: sampleEnd(rows, { generation: 5 }) })
        expect(await confirm(ADA, 6, Promise.resolve(read))).toBeUndefined()
        await scans.beginMatching(ADA, { scan: before.number, generation: 6 })
        expect(await confirm(ADA, 7)).toBeUndefined()
        expect(await find()).toMatchObject({ generation: 5, rows: 4 })
      }))

    it('is interrupted by a newer generation, and by rows of an older one', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const { scan: number } = await submitSample(scans, {
          account: ADA,
          scan,
          rows: sampleRows(2),
        })
        const [old, newer] = [5, 6].map((generation) => ({ scan: number, generation }))
        if (!old || !newer) return
        const change = { matches: [{ place: 0, match: undefined, owner: '2a.example' }] }
        expect(await scans.beginMatching(ADA, old)).toBe(true)
        expect(await scans.beginMatching(ADA, newer)).toBe(true)
        expect(await scans.beginMatching(ADA, old)).toBe(false)
        expect(await scans.saveMatches(ADA, { ...old, ...change })).toBe(false)
        expect(await scans.finishMatching(ADA, { ...old, at: NOW })).toBe(false)
        const rows = sampleRows(1, 2)
        const upload = await stage(scans, { account: ADA, scan: nameOf(scan), rows })
        await scans.publish(ADA, { upload, end: sampleEnd(rows, { generation: 4 }) })
        expect(await scans.finishMatching(ADA, { ...newer, at: NOW })).toBe(false)
        expect(await scans.beginMatching(ADA, newer)).toBe(true)
        expect(await scans.finishMatching(ADA, { ...newer, at: NOW })).toBe(true)
        const late = await stage(scans, { account: ADA, scan: nameOf(scan), rows })
        await scans.publish(ADA, { upload: late, end: sampleEnd(rows, { generation: 6 }) })
        expect(await scans.find(ADA, scan)).toMatchObject({ generation: 6 })
        const stale = await stage(scans, { account: ADA, scan: nameOf(scan), rows })
        await scans.publish(ADA, { upload: stale, end: sampleEnd(rows, { generation: 5 }) })
        expect(await scans.find(ADA, scan)).toMatchObject({ generation: 5, rows: 5 })
      }))

    it('interrupts readers', () =>
      withStorage(async ({ storage: { scans } }) => {
        const { scan } = await submitSample(scans, {
          account: ADA,
          scan: sampleScan(1),
          rows: sampleRows(600),
        })
        const readers = (['api', 'scan'] as const).map((order) =>
          scans.listRows(ADA, { scan, order })[Symbol.asyncIterator](),
        )
        for (const reader of readers) await reader.next()
        await scans.beginMatching(ADA, { scan, generation: 2 })
        for (const reader of readers) {
          await expect(reader.next()).rejects.toMatchObject({ code: 'conflict' })
        }
      }))

    it('finds a row of the newest network scan with an API', () =>
      withStorage(async ({ storage: { scans } }) => {
        for (const number of [1, 3, 2]) {
          const scan = sampleScan(number, { kind: number === 3 ? 'project' : 'network' })
          const rows = [number, number + 3, 0].map((row) => sampleRow(row, SAME_API))
          await submitSample(scans, { account: ADA, scan, rows: rows.slice(0, 2) })
        }
        expect(await scans.findFlow(ADA, 70)).toEqual({ detail: '{"row":5}' })
        expect(await scans.findFlow(ADA, 71)).toBeUndefined()
      }))
  })

  describe('reviews of scans', () => {
    it('apply to all rows of a URL, or to those of a method', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const rows = [
          sampleRow(0, { subject: 'a', method: 'get' }),
          sampleRow(1, { subject: 'a', method: 'post' }),
          sampleRow(2, { subject: 'b', method: '' }),
          sampleRow(3, { subject: 'a', method: 'get' }),
        ]
        const { scan: number } = await submitSample(scans, { account: ADA, scan, rows })
        const readDecisions = async () =>
          (await readRows(storage, { account: ADA, scan: number })).map(
            ({ approval, reason, decision }) => [approval, reason, decision.by, decision.at],
          )
        const reviewed = await scans.review(ADA, {
          scan,
          review: {
            ...EMPTY_REVIEW,
            rows: [
              { subject: 'a', method: undefined, approval: 'yes', reason: '' },
              { subject: 'a', method: 'post', approval: 'no', reason: 'Why' },
            ],
          },
        })
        const made = { subject: 'a', by: 'Key', at: NOW + 50 }
        expect(reviewed).toMatchObject({
          scan: { reviewStatus: 'in_progress', isApproved: 'no', by: 'Key', at: NOW + 50, rows: 4 },
          decisions: [
            { ...made, method: 'get', approval: 'yes', reason: '' },
            { ...made, method: 'post', approval: 'no', reason: 'Why' },
          ],
          unknown: [],
        })
        const yes = ['yes', '', 'Key', NOW + 50]
        const no = ['no', 'Why', 'Key', NOW + 50]
        const open = ['unreviewed', '', '', undefined]
        expect(await readDecisions()).toEqual([yes, no, open, yes])
        const unknown = await scans.review(ADA, {
          scan,
          review: {
            ...EMPTY_REVIEW,
            reviewStatus: 'complete',
            rows: [
              { subject: 'b', method: undefined, approval: 'yes', reason: '' },
              { subject: 'b', method: 'get', approval: 'yes', reason: '' },
              { subject: 'c', method: undefined, approval: 'yes', reason: '' },
            ],
          },
        })
        expect(unknown).toMatchObject({ decisions: [], unknown: ['b', 'c'] })
        expect(await readDecisions()).toEqual([yes, no, open, yes])
        const last = await scans.review(ADA, {
          scan,
          review: {
            ...EMPTY_REVIEW,
            by: 'Other',
            rows: [{ subject: 'b', method: '', approval: 'no', reason: '' }],
          },
        })
        expect(last?.scan).toMatchObject({
          reviewStatus: 'complete',
          isApproved: 'no',
          by: 'Other',
        })
        expect(await scans.find(ADA, scan)).toEqual(last?.scan)
      }))

    it('distinguish URLs with the same digest', () =>
      withStorage(async ({ storage }) => {
        const scan = sampleScan(1)
        // Both have the `hash53` 3457906538767028.
        const subjects = ['get /CGKTu63WM', 'get /QNzDhU68O']
        const rows = subjects.map((subject, at) => sampleRow(at, { subject, method: 'get' }))
        const { scan: number } = await submitSample(storage.scans, { account: ADA, scan, rows })
        const decisions = subjects.map((subject, at) => ({
          ...{ subject, method: undefined, reason: '' },
          approval: at === 0 ? ('yes' as const) : ('no' as const),
        }))
        await storage.scans.review(ADA, { scan, review: { ...EMPTY_REVIEW, rows: decisions } })
        const approvals = (await readRows(storage, { account: ADA, scan: number })).map(
          ({ approval }) => approval,
        )
        expect(approvals[0]).not.toBe('no')
        expect(approvals[1]).toBe('no')
      }))

    it('set the status of the scan and derive the rest', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = sampleScan(1)
        await submitSample(scans, { account: ADA, scan, rows: sampleRows(2) })
        const review = async (changes: Partial<NewReview>) => {
          const stored = await scans.review(ADA, { scan, review: { ...EMPTY_REVIEW, ...changes } })
          return [stored?.scan.reviewStatus, stored?.scan.isApproved]
        }
        expect(await review({ isApproved: 'yes' })).toEqual(['complete', 'yes'])
        expect(await review({ reviewStatus: 'in_progress' })).toEqual(['in_progress', 'yes'])
        expect(await review({ isApproved: 'not_analyzed' })).toEqual([
          'in_progress',
          'not_analyzed',
        ])
        const rows = [
          {
            subject: sampleRow(0).subject,
            method: undefined,
            approval: 'unreviewed' as const,
            reason: '',
          },
        ]
        expect(await review({ rows })).toEqual(['not_started', 'not_analyzed'])
      }))

    it('approve the scan with its last row, until others are added', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = sampleScan(1, { kind: 'network', group: 'office' })
        const rows = sampleRows(3)
        await submitSample(scans, { account: ADA, scan, rows: rows.slice(0, 2) })
        const decide = async (index: number, approval: 'yes' | 'no' | 'unreviewed') => {
          const subject = sampleRow(index).subject
          const rows = [{ subject, method: undefined, approval, reason: '' }]
          return toStanding(
            (await scans.review(ADA, { scan, review: { ...EMPTY_REVIEW, rows } }))?.scan,
          )
        }
        expect(await decide(0, 'yes')).toEqual(['in_progress', 'not_analyzed'])
        expect(await decide(1, 'yes')).toEqual(['complete', 'yes'])
        expect(await decide(1, 'no')).toEqual(['complete', 'no'])
        expect(await decide(1, 'unreviewed')).toEqual(['in_progress', 'not_analyzed'])
        expect(await decide(1, 'yes')).toEqual(['complete', 'yes'])
        const read = async (name: ScanName) => toStanding(await scans.find(ADA, name))
        const next = sampleScan(2, { kind: 'network', group: 'office' })
        await submitSample(scans, { account: ADA, scan: next, rows: rows.slice(0, 2) })
        expect(await read(next)).toEqual(['complete', 'yes'])
        const more = { kind: scan.kind, id: scan.id }
        await submitSample(scans, { account: ADA, scan: more, rows: rows.slice(1, 2) })
        expect(await read(scan)).toEqual(['complete', 'yes'])
        await submitSample(scans, { account: ADA, scan: more, rows })
        expect(await read(scan)).toEqual(['in_progress', 'not_analyzed'])
        expect(await decide(2, 'no')).toEqual(['complete', 'no'])
        await submitSample(scans, { account: ADA, scan: { ...more, id: next.id }, rows })
        expect(await read(next)).toEqual(['in_progress', 'not_analyzed'])
        const late = sampleScan(3, { kind: 'network', group: 'office' })
        await submitSample(scans, { account: ADA, scan: late, rows: rows.slice(0, 1) })
        expect(await read(late)).toEqual(['complete', 'yes'])
      }))

    it('are copied to the next scan of the same kind and group', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const rows = [sampleRow(0), sampleRow(1)]
        const first = sampleScan(1, { group: 'shop' })
        await submitSample(scans, { account: ADA, scan: first, rows })
        const decide = (approval: 'yes' | 'no') =>
          scans.review(ADA, {
            scan: first,
            review: {
              ...EMPTY_REVIEW,
              rows: [{ subject: sampleRow(0).subject, method: undefined, approval, reason: 'x' }],
            },
          })
        await decide('yes')
        const next = [
          sampleScan(2, { group: 'shop' }),
          sampleScan(3, { group: 'other' }),
          sampleScan(4, { group: 'shop', kind: 'network' }),
        ]
        const numbers: number[] = []
        for (const scan of next) {
          numbers.push((await submitSample(scans, { account: ADA, scan, rows })).scan)
        }
        await decide('no')
        const read = async (scan: number) =>
          (await readRows(storage, { account: ADA, scan })).map(({ approval }) => approval)
        expect(await Promise.all(numbers.map(read))).toEqual([
          ['yes', 'unreviewed'],
          ['unreviewed', 'unreviewed'],
          ['unreviewed', 'unreviewed'],
        ])
        expect(await scans.find(ADA, first)).toMatchObject({ reviewStatus: 'in_progress' })
      }))
  })
}

function toStanding(scan: StoredScan | undefined) {
  return [scan?.reviewStatus, scan?.isApproved]
}

const SAME_API = { match: { apiId: 70, endpointId: undefined, confidence: 1 } }
