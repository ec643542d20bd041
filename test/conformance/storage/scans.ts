import { describe, expect, it } from 'vitest'
import type { WithStorage } from '../storage.ts'
import {
  ADA,
  BOB,
  listIds,
  NOW,
  nameOf,
  readRows,
  sampleEnd,
  sampleRow,
  sampleRows,
  sampleScan,
  stage,
  submitSample,
  sweepAll,
  toKept,
} from './scan-samples.ts'
import { TEXTS, toClean } from './texts.ts'

const PROJECTS = { kind: 'project' } as const

export function describeScans(withStorage: WithStorage, more: readonly string[]): void {
  describe('scans', () => {
    it('become visible with all their rows at once', () =>
      withStorage(async ({ storage, has }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const rows = sampleRows(1203)
        const upload = await stage(scans, { account: ADA, scan, rows })
        expect(await scans.find(ADA, scan)).toBeUndefined()
        expect(await listIds(storage, ADA)).toEqual([])
        expect(await scans.count(ADA)).toBe(0)
        if (has('scans', 'totals')) expect(await scans.totals()).toEqual([])
        expect(await scans.listApiIds(ADA, 'project')).toEqual([])
        const end = sampleEnd(rows, { keys: ['key'], generation: 4 })
        const part = { scanId: 'scan1', group: 'group 1', digest: 'digest', rows: 1203 }
        expect(await scans.publish(ADA, { upload, end })).toEqual({
          isNew: true,
          part: { ...part, matched: 802 },
        })
        expect(await scans.find(ADA, scan)).toEqual({
          ...scan,
          number: upload.scan,
          by: '',
          at: undefined,
          reviewStatus: 'not_started',
          isApproved: 'not_analyzed',
          generation: 4,
          analyzedAt: NOW,
          receivedAt: NOW,
          rows: 1203,
          matched: 802,
        })
        expect(await readRows(storage, { account: ADA, scan: upload.scan })).toEqual(
          rows.map((row, index) => toKept(row, index, index)),
        )
        expect(await scans.listApiIds(ADA, 'project')).toEqual([10, 20])
        expect(await scans.findBatch(ADA, 'key')).toEqual({ ...part, matched: 802 })
        if (!has('scans', 'totals')) return
        expect(await scans.totals()).toEqual([
          { kind: 'project', scans: 1, rows: 1203, matched: 802 },
        ])
      }))

    it('are read by API, with unmatched rows last, during uploads', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const rows = sampleRows(1203)
        const upload = await submitSample(scans, { account: ADA, scan, rows })
        await stage(scans, { account: ADA, scan: nameOf(scan), rows: sampleRows(30) })
        const kept = rows.map((row, index) => toKept(row, index, index))
        const expected = [10, 20, undefined].flatMap((apiId) =>
          kept.filter(({ match }) => match?.apiId === apiId),
        )
        const asked = { account: ADA, scan: upload.scan }
        expect(await readRows(storage, { ...asked, order: 'api' })).toEqual(expected)
        expect(await readRows(storage, asked)).toEqual(kept)
      }))

    it('grow by parts with consecutive rows', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1, { kind: 'network', networkName: 'Net', status: 'running' })
        const first = sampleRows(3)
        const { scan: number } = await submitSample(scans, { account: ADA, scan, rows: first })
        const late = await stage(scans, {
          account: ADA,
          scan: nameOf(scan),
          rows: sampleRows(2, 3),
        })
        const last = await submitSample(scans, {
          account: ADA,
          scan: nameOf(scan),
          rows: sampleRows(1, 5),
          end: { status: 'complete', endedAt: 77, at: NOW + 5 },
        })
        expect([late.scan, last.scan, late.part < last.part]).toEqual([number, number, true])
        const read = async () =>
          (await readRows(storage, { account: ADA, scan: number })).map(
            ({ position, detail }) => `${position} ${detail}`,
          )
        expect(await read()).toEqual(['0 {"row":0}', '1 {"row":1}', '2 {"row":2}', '3 {"row":5}'])
        await scans.publish(ADA, { upload: late, end: sampleEnd(sampleRows(2, 3)) })
        expect(await read()).toEqual([0, 1, 2, 3, 4, 5].map((row) => `${row} {"row":${row}}`))
        expect(await scans.find(ADA, scan)).toMatchObject({
          status: 'complete',
          endedAt: 77,
          analyzedAt: NOW + 5,
          rows: 6,
          matched: 4,
        })
        const end = { status: 'running', endedAt: null } as const
        await submitSample(scans, { account: ADA, scan: nameOf(scan), rows: [], end })
        const again = { status: 'running', endedAt: undefined, rows: 6 }
        expect(await scans.find(ADA, scan)).toMatchObject(again)
        await expect(scans.beginUpload(ADA, { scan, at: NOW })).rejects.toMatchObject({
          code: 'conflict',
        })
        const unknown = { kind: 'network', id: 'scan2' } as const
        expect(await scans.beginUpload(ADA, { scan: unknown, at: NOW })).toBeUndefined()
      }))

    it('are stored once per key, under concurrency', () =>
      withStorage(async ({ storage, reopen }) => {
        const other = reopen ? await reopen() : storage
        const rows = sampleRows(5)
        const uploads = await Promise.all(
          [storage, other, storage, other].map(async ({ scans }, index) => ({
            scans,
            upload: await stage(scans, { account: ADA, scan: sampleScan(index), rows }),
          })),
        )
        const results = await Promise.all(
          uploads.map(({ scans, upload }, index) =>
            scans.publish(ADA, {
              upload,
              end: sampleEnd(rows, { keys: [`own ${index}`, 'same'] }),
            }),
          ),
        )
        expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
        const [winner] = results.filter(({ isNew }) => isNew)
        expect(results.map(({ part }) => part)).toEqual(results.map(() => winner?.part))
        expect(await listIds(storage, ADA)).toEqual([winner?.part.scanId])
        for (const { scans, upload } of uploads) await scans.discard(ADA, upload)
        expect(await listIds(storage, ADA)).toEqual([winner?.part.scanId])
        expect(await storage.scans.findBatch(BOB, 'same')).toBeUndefined()
        if (other !== storage) await other.close()
      }))

    it('leave no rows of a discarded or interrupted upload', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const rows = sampleRows(4100)
        const gone = await stage(scans, { account: ADA, scan, rows })
        await scans.discard(ADA, gone)
        const end = sampleEnd(rows)
        const conflict = { code: 'conflict' }
        await expect(scans.publish(ADA, { upload: gone, end })).rejects.toMatchObject(conflict)
        const more = { upload: gone, first: 0, at: NOW, rows: rows.slice(0, 1) }
        await expect(scans.saveRows(ADA, more)).rejects.toMatchObject(conflict)
        const broken = await stage(scans, { account: ADA, scan, rows })
        expect(await sweepAll(scans, { staleBefore: NOW })).toBe(1)
        const touched = { upload: broken, first: rows.length, at: NOW + 9, rows: [sampleRow(1)] }
        await scans.saveRows(ADA, touched)
        expect(await sweepAll(scans, { staleBefore: NOW + 9 })).toBe(1)
        expect(await sweepAll(scans, { staleBefore: NOW + 10 })).toBeGreaterThan(1)
        await expect(scans.publish(ADA, { upload: broken, end })).rejects.toMatchObject(conflict)
        // The ID is available again, because nothing of the scan is left.
        await submitSample(scans, { account: ADA, scan, rows: [] })
        await stage(scans, { account: ADA, scan: nameOf(scan), rows: sampleRows(3) })
        await sweepAll(scans, { staleBefore: NOW + 1 })
        expect(await scans.find(ADA, scan)).toMatchObject({ rows: 0 })
      }))

    it('are listed newest first, page by page, filtered by names and APIs', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        for (const number of [2, 1, 4, 3]) {
          const scan = sampleScan(number, {
            startedAt: number === 4 ? NOW + 3 : NOW + number,
            group: number > 2 ? 'late' : 'early',
          })
          const rows = [sampleRow(number)]
          await submitSample(scans, { account: ADA, scan, rows })
        }
        await submitSample(scans, {
          account: ADA,
          scan: sampleScan(9, { kind: 'network' }),
          rows: [],
        })
        const list = async (filter: object, limit = 10) =>
          (
            await scans.list(ADA, { filter: { ...PROJECTS, ...filter }, after: undefined, limit })
          ).map(({ id }) => id)
        expect(await list({})).toEqual(['scan3', 'scan4', 'scan2', 'scan1'])
        expect(await list({ group: 'early' })).toEqual(['scan2', 'scan1'])
        expect(await list({ projectName: 'projekt o4', networkName: '' })).toEqual(['scan4'])
        expect(await list({ projectName: 'Projekt Ö4' })).toEqual([])
        expect(await list({ id: 'scan9' })).toEqual([])
        expect(await list({ apiIds: [10] })).toEqual(['scan4', 'scan1'])
        expect(await list({ apiIds: [20, 99], group: 'early' })).toEqual(['scan2'])
        expect(await list({ apiIds: [] })).toEqual([])
        expect([await list({ staleAt: 1 }), await list({ staleAt: 2, group: 'early' })]).toEqual([
          [],
          ['scan2', 'scan1'],
        ])
        const [first, second] = await scans.list(ADA, {
          filter: PROJECTS,
          after: undefined,
          limit: 2,
        })
        const rest = await scans.list(ADA, { filter: PROJECTS, after: second, limit: 2 })
        expect([first, second, ...rest].map((scan) => scan?.id)).toEqual(await list({}))
        expect(await scans.count(ADA)).toBe(5)
      }))

    it('are hidden at once and removed gradually', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const rows = sampleRows(4500)
        const upload = await submitSample(scans, {
          account: ADA,
          scan,
          rows,
          end: { keys: ['key'] },
        })
        const open = await stage(scans, { account: ADA, scan: nameOf(scan), rows: sampleRows(3) })
        const pages = scans.listRows(ADA, { scan: upload.scan, order: 'scan' })
        const reader = pages[Symbol.asyncIterator]()
        await reader.next()
        expect(await scans.remove(ADA, { ...PROJECTS, id: 'scan2' })).toBe(false)
        expect(await scans.remove(ADA, { kind: 'network', id: 'scan1' })).toBe(false)
        expect(await scans.remove(ADA, scan)).toBe(true)
        expect(await scans.remove(ADA, scan)).toBe(false)
        expect(await scans.find(ADA, scan)).toBeUndefined()
        expect(await scans.findBatch(ADA, 'key')).toBeUndefined()
        await expect(reader.next()).rejects.toMatchObject({ code: 'conflict' })
        const end = sampleEnd([])
        await expect(scans.publish(ADA, { upload: open, end })).rejects.toMatchObject({
          code: 'conflict',
        })
        expect(await sweepAll(scans)).toBeGreaterThan(1)
        expect(await sweepAll(scans)).toBe(1)
        await submitSample(scans, { account: ADA, scan, rows: [] })
        expect(await listIds(storage, ADA)).toEqual(['scan1'])
      }))

    it('are retained for the requested time after their last addition', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        for (const number of [1, 2, 3]) {
          const end = { at: NOW + number }
          await submitSample(scans, { account: ADA, scan: sampleScan(number), rows: [], end })
        }
        const more = await stage(scans, {
          account: ADA,
          scan: { ...PROJECTS, id: 'scan1' },
          rows: [],
        })
        await scans.publish(ADA, { upload: more, end: sampleEnd([], { at: NOW + 9 }) })
        await sweepAll(scans)
        expect(await listIds(storage, ADA)).toEqual(['scan3', 'scan2', 'scan1'])
        await sweepAll(scans, { keptSince: NOW + 3 })
        expect(await listIds(storage, ADA)).toEqual(['scan3', 'scan1'])
        await sweepAll(scans, { keptSince: NOW + 9 })
        expect(await listIds(storage, ADA)).toEqual(['scan1'])
      }))

    it('are isolated by account', () =>
      withStorage(async ({ storage, has }) => {
        const { scans } = storage
        const scan = sampleScan(1)
        const rows = sampleRows(4)
        const end = { keys: ['key'] }
        const own = await submitSample(scans, { account: ADA, scan, rows, end })
        const asked = { scan: own.scan, generation: 9 }
        expect(await scans.find(BOB, scan)).toBeUndefined()
        expect(await scans.findBatch(BOB, 'key')).toBeUndefined()
        expect(await listIds(storage, BOB)).toEqual([])
        expect([await scans.count(BOB), await scans.listApiIds(BOB, 'project')]).toEqual([0, []])
        await expect(readRows(storage, { account: BOB, scan: own.scan })).rejects.toMatchObject({
          code: 'conflict',
        })
        if (has('scans', 'findFlow')) expect(await scans.findFlow(BOB, 10)).toBeUndefined()
        const name = { ...PROJECTS, id: scan.id }
        expect(await scans.beginUpload(BOB, { scan: name, at: NOW })).toBeUndefined()
        expect(await scans.beginMatching(BOB, asked)).toBe(false)
        expect(await scans.saveMatches(BOB, { ...asked, matches: [] })).toBe(false)
        expect(await scans.finishMatching(BOB, { ...asked, at: NOW })).toBe(false)
        if (has('scans', 'review')) {
          const review = { by: 'b', at: NOW, reviewStatus: undefined, isApproved: 'no', rows: [] }
          expect(
            await scans.review(BOB, { scan, review: { ...review, isApproved: 'no' } }),
          ).toBeUndefined()
        }
        if (has('scans', 'remove')) expect(await scans.remove(BOB, scan)).toBe(false)
        await scans.discard(BOB, own)
        const others = await submitSample(scans, { account: BOB, scan, rows: [], end })
        expect(others.scan).not.toBe(own.scan)
        expect(await scans.find(ADA, scan)).toMatchObject({ rows: 4, isApproved: 'not_analyzed' })
        if (has('scans', 'remove')) {
          expect(await scans.remove(BOB, scan)).toBe(true)
          await sweepAll(scans)
        }
        expect(await readRows(storage, { account: ADA, scan: own.scan })).toHaveLength(4)
      }))

    it('store texts of every kind', () =>
      withStorage(async ({ storage }) => {
        const { scans } = storage
        const texts = [...TEXTS, ...more].filter((text) => text !== '')
        const rows = texts.map((text, index) =>
          sampleRow(index, { subject: text, detail: JSON.stringify(text), method: text }),
        )
        const scan = sampleScan(1, { projectName: texts.join(' ').slice(0, 300) })
        const upload = await submitSample(scans, { account: ADA, scan, rows })
        const kept = await readRows(storage, { account: ADA, scan: upload.scan })
        expect(kept.map(({ subject, method }) => [subject, method])).toEqual(
          texts.map((text) => [toClean(text), toClean(text)]),
        )
        expect((await scans.find(ADA, scan))?.projectName).toBe(toClean(scan.projectName))
      }))
  })
}
