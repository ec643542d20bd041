import { describe, expect, it } from 'vitest'
import { findScansUsingApi } from '../../../core/scans/api-usages.ts'
import type { NewScan, NewScanRow, ScanStore } from '../../../core/scans/store.ts'
import type { ScanUsage } from '../../../core/scans/usage-store.ts'
import type { WithStorage } from '../storage.ts'
import {
  ADA,
  BOB,
  NOW,
  nameOf,
  sampleEnd,
  sampleRow,
  sampleScan,
  stage,
  submitSample,
  sweepAll,
} from './scan-samples.ts'

const IN_API = { apiId: 7, endpointId: 70, confidence: 1 }

/** Creates a row of a subject, with or without an API. */
function row(subject: string, changes: Partial<NewScanRow> = {}): NewScanRow {
  return sampleRow(0, { subject: `https://a.example/${subject}`, method: 'get', ...changes })
}

function flow(subject: string, at: number, isOutgoing: boolean): NewScanRow {
  return row(subject, { notes: { at, isOutgoing, address: `192.0.2.${at}`, files: 0 } })
}

function scanOf(number: number, changes: Partial<NewScan> = {}): NewScan {
  return sampleScan(number, { group: 'one', ...changes })
}

const ALL = { filter: {}, offset: 0, limit: 100 } as const

async function listUsages(
  scans: ScanStore,
  request: Partial<Parameters<ScanStore['listUsages']>[1]> & { readonly scan: number },
): Promise<readonly string[]> {
  const uses = await scans.listUsages(ADA, { ...ALL, ...request })
  return uses.map(formatUsage)
}

function formatUsage({ subject, approval, isNew, rows, apiId }: ScanUsage): string {
  const name = subject.replace('https://a.example/', '')
  return `${name} ${isNew ? 'new ' : ''}${approval} ${rows} ${apiId ?? '-'}`
}

function review(
  scans: ScanStore,
  scan: NewScan,
  rows: readonly (readonly [string, 'yes' | 'no'])[],
) {
  return scans.review(ADA, {
    scan,
    review: {
      by: 'Ada',
      at: NOW,
      reviewStatus: undefined,
      isApproved: undefined,
      rows: rows.map(([subject, approval]) => ({
        subject: `https://a.example/${subject}`,
        method: undefined,
        approval,
        reason: `because of ${subject}`,
      })),
    },
  })
}

export function describeScanUses(withStorage: WithStorage): void {
  describe('usages of an API', () => {
    it('are counted only in the newest scan of each project and network', () =>
      withStorage(async ({ storage: { scans } }) => {
        const inApi = [row('a', { match: IN_API }), row('b', { match: IN_API })]
        const other = row('c', { match: { ...IN_API, apiId: 8 } })
        const former = { group: 'former', projectName: 'Former' }
        await submitSample(scans, { account: ADA, scan: scanOf(1, former), rows: inApi })
        await submitSample(scans, { account: ADA, scan: scanOf(2, former), rows: [other] })
        await submitSample(scans, {
          account: ADA,
          scan: scanOf(3),
          rows: [...inApi, other, row('d')],
        })
        await submitSample(scans, {
          account: ADA,
          scan: scanOf(4, { kind: 'network', group: 'net' }),
          rows: [flow('e', 5, true), flow('e', 6, true)].map((one) => ({ ...one, match: IN_API })),
        })
        await submitSample(scans, { account: BOB, scan: scanOf(5), rows: inApi })
        await review(scans, scanOf(3), [
          ['a', 'yes'],
          ['c', 'no'],
        ])
        const { projects, networks, isPartial } = await findScansUsingApi(scans, {
          account: ADA,
          apiId: 7,
        })
        const none = { isNew: 0, newUnreviewed: 0, unreviewed: 0, rejected: 0, approved: 0 }
        expect(projects.map(({ scan, counts }) => [scan.id, counts])).toEqual([
          ['scan3', { ...none, usages: 2, rows: 2, unreviewed: 1, approved: 1 }],
        ])
        expect(networks.map(({ scan, counts }) => [scan.instanceId, counts])).toEqual([
          ['scan4', { ...none, usages: 1, rows: 2, unreviewed: 1 }],
        ])
        expect(isPartial).toBe(false)
      }))
  })

  describe('usages of scans', () => {
    it('are paged: unreviewed first, then rejected; new ones first, then by API', () =>
      withStorage(async ({ storage: { scans } }) => {
        const first = scanOf(1)
        const old = [row('a'), row('b', { match: IN_API }), row('c')]
        const { scan: former } = await submitSample(scans, { account: ADA, scan: first, rows: old })
        expect(await listUsages(scans, { scan: former })).toEqual([
          'b unreviewed 1 7',
          'a unreviewed 1 -',
          'c unreviewed 1 -',
        ])
        await review(scans, first, [
          ['a', 'yes'],
          ['c', 'no'],
        ])
        const rows = [...old, row('d'), row('b', { match: IN_API }), row('e', { match: IN_API })]
        const { scan } = await submitSample(scans, { account: ADA, scan: scanOf(2), rows })
        const all = [
          'e new unreviewed 1 7',
          'd new unreviewed 1 -',
          'b unreviewed 2 7',
          'c no 1 -',
          'a yes 1 -',
        ]
        expect(await listUsages(scans, { scan })).toEqual(all)
        expect(await listUsages(scans, { scan, offset: 1, limit: 2 })).toEqual(all.slice(1, 3))
        const filters = [
          { approval: 'unreviewed' },
          { approval: 'unreviewed', isNew: true },
          { approval: 'no' },
          { isNew: false, apiId: 'none' },
          { apiId: 7 },
        ] as const
        const found = await Promise.all(
          filters.map((filter) => listUsages(scans, { scan, filter })),
        )
        expect(found).toEqual([
          all.slice(0, 3),
          all.slice(0, 2),
          ['c no 1 -'],
          ['c no 1 -', 'a yes 1 -'],
          ['e new unreviewed 1 7', 'b unreviewed 2 7'],
        ])
        const [rejected] = await scans.listUsages(ADA, { ...ALL, scan, filter: { approval: 'no' } })
        expect(rejected).toMatchObject({
          reason: 'because of c',
          decision: { by: 'Ada', at: NOW },
          detail: '{"row":0}',
          place: 2,
        })
        expect(await scans.findUsages(ADA, { scan, places: [99, 3, 2] })).toMatchObject([
          { place: 2 },
          { place: 3 },
        ])
        expect(await scans.listUsages(BOB, { ...ALL, scan })).toEqual([])
        expect(await scans.findUsages(BOB, { scan, places: [2] })).toEqual([])
        expect((await scans.listFigures(BOB, [scan])).get(scan)).toEqual([])
        expect((await scans.listFigures(ADA, [scan])).get(scan)).toEqual([
          { apiId: 7, approval: 'unreviewed', isNew: true, usages: 1, rows: 1 },
          { apiId: undefined, approval: 'unreviewed', isNew: true, usages: 1, rows: 1 },
          { apiId: 7, approval: 'unreviewed', isNew: false, usages: 1, rows: 2 },
          { apiId: undefined, approval: 'no', isNew: false, usages: 1, rows: 1 },
          { apiId: undefined, approval: 'yes', isNew: false, usages: 1, rows: 1 },
        ])
      }))

    it('grow with uploads, invisible before publication', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = scanOf(1, { kind: 'network', networkName: 'Net' })
        const rows = [flow('a', 5, true), flow('b', 6, false)]
        const { scan: number } = await submitSample(scans, { account: ADA, scan, rows })
        await review(scans, scan, [['a', 'yes']])
        const more = [flow('a', 3, false), flow('a', 9, true), flow('c', 9, true)]
        const upload = await stage(scans, { account: ADA, scan: nameOf(scan), rows: more })
        expect(await listUsages(scans, { scan: number })).toEqual(['b unreviewed 1 -', 'a yes 1 -'])
        await scans.publish(ADA, { upload, end: sampleEnd(more) })
        expect(await listUsages(scans, { scan: number })).toEqual([
          'b unreviewed 1 -',
          'c unreviewed 1 -',
          'a yes 3 -',
        ])
        const [use] = await scans.listUsages(ADA, {
          ...ALL,
          scan: number,
          filter: { approval: 'yes' },
        })
        expect(use).toMatchObject({ outgoing: 2, firstAt: 3, lastAt: 9, address: '192.0.2.9' })
        expect(await scans.listAddresses(ADA, { scan: number, limit: 1 })).toEqual({
          addresses: [{ address: '192.0.2.9', usages: 2, rows: 4 }],
          total: 2,
        })
        const request = { scan: number, limit: 1 }
        expect(await scans.listBatches(ADA, request)).toEqual({
          parts: [{ part: 1, rows: 3, matched: 0 }],
          total: 2,
        })
        expect(await scans.listBatches(BOB, request)).toEqual({ parts: [], total: 0 })
        expect(await scans.listAddresses(BOB, { scan: number, limit: 1 })).toEqual({
          addresses: [],
          total: 0,
        })
      }))

    it('follow repeated matching', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = scanOf(1)
        const { scan: number } = await submitSample(scans, { account: ADA, scan, rows: [row('a')] })
        const request = { scan: number, generation: 2 }
        await scans.beginMatching(ADA, request)
        await scans.saveMatches(ADA, {
          ...request,
          matches: [{ place: 0, match: IN_API, owner: '' }],
        })
        await scans.finishMatching(ADA, { ...request, at: NOW })
        expect(await listUsages(scans, { scan: number })).toEqual(['a unreviewed 1 7'])
        expect((await scans.listFigures(ADA, [number])).get(number)).toMatchObject([
          { apiId: 7, usages: 1 },
        ])
      }))

    it('are compared between two scans', () =>
      withStorage(async ({ storage: { scans } }) => {
        const older = [row('a'), row('b'), row('c'), row('d')]
        const before = await submitSample(scans, { account: ADA, scan: scanOf(1), rows: older })
        const notes = { at: 0, isOutgoing: false, address: '', files: 8 }
        const newer = [row('e'), row('b'), row('c', { match: IN_API, notes }), row('d')]
        const after = await submitSample(scans, { account: ADA, scan: scanOf(2), rows: newer })
        await review(scans, scanOf(2), [['d', 'no']])
        const whole = { limit: 5, page: 1, pageUses: 100 }
        const request = { before: before.scan, after: after.scan, ...whole }
        expect(await scans.compareUsages(ADA, request)).toEqual({
          added: [0],
          removed: [0],
          changed: [
            { place: 2, before: 2, what: ['api', 'files'] },
            { place: 3, before: 3, what: ['approval'] },
          ],
          pages: 1,
        })
        expect(await scans.compareUsages(ADA, { ...request, limit: 1 })).toMatchObject({
          changed: [{ place: 2 }],
        })
        const nothing = { added: [], removed: [], changed: [], pages: 1 }
        expect(await scans.compareUsages(BOB, request)).toEqual(nothing)
        const pages = [1, 2, 3, 4, 5].map((page) => ({ ...request, page, pageUses: 1 }))
        const found = await Promise.all(pages.map((each) => scans.compareUsages(ADA, each)))
        expect(found.map((each) => each.pages)).toEqual([4, 4, 4, 4, 4])
        expect(found.flatMap(({ added }) => added)).toEqual([0])
        expect(found.flatMap(({ removed }) => removed)).toEqual([0])
        const changed = found.flatMap((each) => each.changed.map(({ place }) => place))
        expect(changed.toSorted()).toEqual([2, 3])
        expect(found[4]).toEqual({ ...nothing, pages: 4 })
      }))

    it('are removed with their scan', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = scanOf(1)
        const { scan: number } = await submitSample(scans, { account: ADA, scan, rows: [row('a')] })
        const upload = await stage(scans, { account: ADA, scan: nameOf(scan), rows: [row('b')] })
        await scans.discard(ADA, upload)
        expect(await listUsages(scans, { scan: number })).toEqual(['a unreviewed 1 -'])
        await scans.remove(ADA, scan)
        await sweepAll(scans)
        expect(await listUsages(scans, { scan: number })).toEqual([])
        expect((await scans.listFigures(ADA, [number])).get(number)).toEqual([])
      }))

    it('are grouped, with the newest scan of each group listed', () =>
      withStorage(async ({ storage: { scans } }) => {
        const add = (scan: NewScan, account = ADA) =>
          submitSample(scans, { account, scan, rows: [row('a', { match: IN_API })] })
        await add(scanOf(3))
        await add(scanOf(1))
        await add(sampleScan(2, { kind: 'network', group: 'one', networkName: 'Büro 100%' }))
        await add(sampleScan(4, { group: 'two' }), BOB)
        const ids = async (filter: Parameters<ScanStore['listGroups']>[1]['filter']) => {
          const found = await scans.listGroups(ADA, { filter, offset: 0, limit: 10 })
          return [found.total, ...found.scans.map(({ id }) => id)]
        }
        expect(await ids({})).toEqual([2, 'scan3', 'scan2'])
        expect(await ids({ kind: 'network' })).toEqual([1, 'scan2'])
        expect(await ids({ name: '0%' })).toEqual([1, 'scan2'])
        expect(await ids({ name: '_' })).toEqual([0])
        expect(await ids({ apiIds: [7, 8] })).toEqual([2, 'scan3', 'scan2'])
        expect(await ids({ apiIds: [8] })).toEqual([0])
        const newest = { kind: 'project', group: 'one', limit: 5 } as const
        const listed = await scans.listNewest(ADA, newest)
        expect(listed.map(({ id }) => id)).toEqual(['scan3', 'scan1'])
        expect(await scans.listNewest(ADA, { ...newest, limit: 1 })).toHaveLength(1)
        expect(await scans.listNewest(BOB, newest)).toEqual([])
        const second = await scans.listGroups(ADA, { filter: {}, offset: 1, limit: 1 })
        expect([second.total, second.scans.map(({ id }) => id)]).toEqual([2, ['scan2']])
      }))
  })
}
