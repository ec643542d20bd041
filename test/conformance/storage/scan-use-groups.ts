import { describe, expect, it } from 'vitest'
import type { NewScanRow, ScanStore } from '../../../core/scans/store.ts'
import type { UsageGroup, UsageGroupKey } from '../../../core/scans/usage-store.ts'
import type { WithStorage } from '../storage.ts'
import {
  ADA,
  BOB,
  NOW,
  nameOf,
  sampleEnd,
  sampleScan,
  stage,
  submitSample,
} from './scan-samples.ts'

const IN_API = { apiId: 7, endpointId: undefined, confidence: 1 }

function row(subject: string, owner: string | typeof IN_API): NewScanRow {
  const isOwner = typeof owner === 'string'
  return {
    subject,
    method: 'get',
    detail: '{}',
    match: isOwner ? undefined : owner,
    owner: isOwner ? owner : '',
  }
}

const ROWS = [
  row('a1', '2a.example'),
  row('a2', '2a.example'),
  row('p1', '1Plaid'),
  row('x1', IN_API),
  row('b1', '2b.example'),
  row('x2', IN_API),
  row('b1', '2b.example'),
  row('?', ''),
]

async function listGroups(
  scans: ScanStore,
  request: Partial<Parameters<ScanStore['listUsageGroups']>[1]> & { readonly scan: number },
): Promise<readonly string[]> {
  const all = { view: 'all', offset: 0, limit: 100 } as const
  return (await scans.listUsageGroups(ADA, { ...all, ...request })).map(formatGroup)
}

/** Group, usages/rows, then new/new without decision/without decision/rejected/approved. */
function formatGroup(group: UsageGroup): string {
  const { apiId, owner, usages, rows, isNew, newUnreviewed, unreviewed, rejected, approved } = group
  const counts = [isNew, newUnreviewed, unreviewed, rejected, approved].join('/')
  return `${apiId ?? owner} ${usages}/${rows} ${counts}`
}

function decide(
  scans: ScanStore,
  decisions: readonly (readonly [string, 'yes' | 'no' | 'unreviewed'])[],
) {
  const review = { by: 'Ada', at: NOW, reviewStatus: undefined, isApproved: undefined }
  const rows = decisions.map(([subject, approval]) => ({
    ...{ subject, approval, method: undefined, reason: '' },
  }))
  return scans.review(ADA, { scan: sampleScan(1), review: { ...review, rows } })
}

export function describeScanUseGroups(withStorage: WithStorage): void {
  describe('usages of a scan', () => {
    it('are grouped by API, vendor and domain: unreviewed first, then by number of usages', () =>
      withStorage(async ({ storage: { scans } }) => {
        const { scan } = await submitSample(scans, {
          account: ADA,
          scan: sampleScan(1),
          rows: ROWS,
        })
        const all = [
          '7 2/2 0/0/2/0/0',
          '1Plaid 1/1 0/0/1/0/0',
          '2a.example 2/2 0/0/2/0/0',
          '2b.example 1/2 0/0/1/0/0',
          ' 1/1 0/0/1/0/0',
        ]
        expect(await listGroups(scans, { scan })).toEqual(all)
        expect(await listGroups(scans, { scan, offset: 1, limit: 2 })).toEqual(all.slice(1, 3))
        expect(
          await scans.listUsageGroups(BOB, { scan, view: 'all', offset: 0, limit: 9 }),
        ).toEqual([])
        expect(await scans.countUsageGroups(BOB, scan)).toMatchObject({ all: 0, new: 0 })
        await decide(scans, [
          ['x1', 'yes'],
          ['x2', 'yes'],
          ['a1', 'no'],
          ['a2', 'yes'],
          ['b1', 'yes'],
        ])
        const decided = [
          '1Plaid 1/1 0/0/1/0/0',
          ' 1/1 0/0/1/0/0',
          '2a.example 2/2 0/0/0/1/1',
          '7 2/2 0/0/0/0/2',
          '2b.example 1/2 0/0/0/0/1',
        ]
        expect(await listGroups(scans, { scan })).toEqual(decided)
        expect(await listGroups(scans, { scan, view: 'unreviewed' })).toEqual(decided.slice(0, 2))
        expect(await listGroups(scans, { scan, view: 'rejected' })).toEqual(decided.slice(2, 3))
        expect(await listGroups(scans, { scan, view: 'approved' })).toEqual(decided.slice(2))
        expect(await listGroups(scans, { scan, view: 'new' })).toEqual([])
        expect(await scans.countUsageGroups(ADA, scan)).toEqual({
          ...{ all: 5, new: 0, unreviewed: 2, rejected: 1, approved: 3 },
        })
        await decide(scans, [['a2', 'unreviewed']])
        expect((await listGroups(scans, { scan }))[1]).toBe('2a.example 2/2 0/0/1/1/0')
      }))

    it('are listed by group, with the first of each', () =>
      withStorage(async ({ storage: { scans } }) => {
        const { scan } = await submitSample(scans, {
          account: ADA,
          scan: sampleScan(1),
          rows: ROWS,
        })
        await decide(scans, [['a1', 'yes']])
        const groups = [
          { apiId: undefined, owner: '2a.example' },
          { apiId: 7, owner: '' },
          { apiId: undefined, owner: '2gone.example' },
        ]
        const read = async (limit: number) =>
          (await scans.listGroupUsages(ADA, { scan, groups, limit })).map(
            ({ subject, owner, approval }) => `${subject} ${owner} ${approval}`,
          )
        expect(await read(1)).toEqual(['a2 2a.example unreviewed', 'x1  unreviewed'])
        expect(await read(5)).toEqual([
          'a2 2a.example unreviewed',
          'a1 2a.example yes',
          'x1  unreviewed',
          'x2  unreviewed',
        ])
        expect(await scans.listGroupUsages(BOB, { scan, groups, limit: 5 })).toEqual([])
        expect(await scans.listGroupUsages(ADA, { scan, groups: [], limit: 5 })).toEqual([])
        const find = (group: UsageGroupKey, account = ADA) =>
          scans.findUsageGroup(account, { scan, group })
        expect(await find({ apiId: 7, owner: '' })).toMatchObject({ apiId: 7, usages: 2 })
        expect(await find({ apiId: undefined, owner: '2gone.example' })).toBeUndefined()
        expect(await find({ apiId: 7, owner: '' }, BOB)).toBeUndefined()
        const filter = { apiId: 'none', owner: '2a.example' } as const
        const uses = await scans.listUsages(ADA, { scan, filter, offset: 1, limit: 5 })
        expect(uses.map(({ subject }) => subject)).toEqual(['a1'])
      }))

    it('are counted again after batches and matching, and not after removal', () =>
      withStorage(async ({ storage: { scans } }) => {
        const scan = sampleScan(1, { kind: 'network', networkName: 'Net' })
        const { scan: number } = await submitSample(scans, {
          account: ADA,
          scan,
          rows: ROWS.slice(0, 2),
        })
        const more = [row('a1', '2other.example'), row('a3', '2a.example'), row('c1', '2c.example')]
        const upload = await stage(scans, { account: ADA, scan: nameOf(scan), rows: more })
        expect(await listGroups(scans, { scan: number })).toEqual(['2a.example 2/2 0/0/2/0/0'])
        await scans.publish(ADA, { upload, end: sampleEnd(more) })
        // A usage belongs to the group of its first row.
        const both = ['2a.example 3/4 0/0/3/0/0', '2c.example 1/1 0/0/1/0/0']
        expect(await listGroups(scans, { scan: number })).toEqual(both)
        const request = { scan: number, generation: 5 }
        await scans.beginMatching(ADA, request)
        const matches = [
          { place: 0, match: IN_API, owner: '' },
          { place: 1, match: undefined, owner: '1Acme' },
        ]
        await scans.saveMatches(ADA, { ...request, matches })
        await scans.finishMatching(ADA, { ...request, at: NOW })
        expect((await listGroups(scans, { scan: number })).toSorted()).toEqual([
          '1Acme 1/1 0/0/1/0/0',
          '2a.example 1/1 0/0/1/0/0',
          '2c.example 1/1 0/0/1/0/0',
          '7 1/2 0/0/1/0/0',
        ])
        await scans.remove(ADA, scan)
        await scans.sweep({ staleBefore: 0, keptSince: undefined, limit: 1000 })
        expect(await listGroups(scans, { scan: number })).toEqual([])
      }))

    it('are counted in chunks for many groups, and again after a review', () =>
      withStorage(async ({ storage: { scans } }) => {
        const rows = Array.from({ length: 11_000 }, (_, index) =>
          row(`u${index}`, `2host${index % 10_500}.example`),
        )
        const { scan } = await submitSample(scans, { account: ADA, scan: sampleScan(1), rows })
        expect(await scans.countUsageGroups(ADA, scan)).toMatchObject({ all: 10_500 })
        expect(await listGroups(scans, { scan, offset: 499, limit: 2 })).toEqual([
          '2host99.example 2/2 0/0/2/0/0',
          '2host1000.example 1/1 0/0/1/0/0',
        ])
        const subjects = Array.from({ length: 300 }, (_, index) => `u${index}`)
        await decide(
          scans,
          subjects.map((subject) => [subject, 'yes'] as const),
        )
        expect(await scans.countUsageGroups(ADA, scan)).toEqual({
          ...{ all: 10_500, new: 0, unreviewed: 10_500, rejected: 0, approved: 300 },
        })
      }))
  })
}
