import { describe, expect, it } from 'vitest'
import {
  ADA,
  NOW,
  sampleRows,
  sampleScan,
  submitSample,
} from '../conformance/storage/scan-samples.ts'
import { openNoting } from '../helpers/noting-sqlite.ts'

/** Matches plans that read a whole scan, or all scans of an account. */
const WHOLE =
  /^(?:SCAN .*\brow\b|SEARCH (?:row|scan_row|next|of_api)\b.*\(account_id=\?(?: AND scan=\?)?\))/

describe('a large scan', () => {
  it('is reviewed, and searched for a flow of an API, without a full read', async () => {
    const { storage, noted, explain } = await openNoting(() => NOW)
    const scan = sampleScan(1, { kind: 'network' })
    const rows = sampleRows(20)
    await submitSample(storage.scans, { account: ADA, scan, rows })
    noted.clear()
    await storage.scans.findFlow(ADA, 10)
    const decided = rows.map(({ subject }, index) => ({
      subject,
      method: index % 2 === 0 ? undefined : '',
      approval: 'yes' as const,
      reason: '',
    }))
    const review = { by: '', at: NOW, reviewStatus: undefined, isApproved: undefined }
    const stored = await storage.scans.review(ADA, { scan, review: { ...review, rows: decided } })
    expect(stored?.scan.reviewStatus).toBe('complete')
    const steps = [...noted].filter((sql) => sql.includes('"scan_row"')).flatMap(explain)
    expect(steps.length).toBeGreaterThan(5)
    expect(steps.filter((step) => WHOLE.test(step))).toEqual([])
    await storage.close()
  })

  it('is listed by group from indexes alone, without sorting', async () => {
    const { storage, noted, explain } = await openNoting(() => NOW)
    const { scans } = storage
    const rows = sampleRows(20).map((row, index) => ({ ...row, owner: `2host${index % 3}` }))
    const { scan } = await submitSample(scans, { account: ADA, scan: sampleScan(1), rows })
    noted.clear()
    for (const view of ['all', 'new', 'unreviewed', 'rejected', 'approved'] as const) {
      await scans.listUsageGroups(ADA, { scan, view, offset: 0, limit: 5 })
    }
    await scans.countUsageGroups(ADA, scan)
    const groups = [...noted].flatMap(explain).filter((step) => /\bscan_group\b|TEMP/.test(step))
    expect(groups.length).toBeGreaterThan(8)
    const byOrder =
      /^SEARCH scan_group USING (?:COVERING INDEX scan_group_(?:order|refused|approved) \(account_id=\? AND scan=\?|PRIMARY KEY \(account_id=\? AND scan=\? AND api_id=\? AND owner=\?\))/
    expect(groups.filter((step) => !byOrder.test(step))).toEqual([])
    noted.clear()
    const found = await scans.listUsageGroups(ADA, { scan, view: 'all', offset: 0, limit: 5 })
    await scans.listGroupUsages(ADA, { scan, groups: found, limit: 2 })
    const filter = { apiId: 'none', owner: '2host1' } as const
    await scans.listUsages(ADA, { scan, filter, offset: 0, limit: 5 })
    const uses = [...noted].filter((sql) => sql.includes('scan_use')).flatMap(explain)
    expect(uses.filter((step) => step.includes('scan_use_group')).length).toBeGreaterThan(2)
    expect(
      uses.filter((step) => /TEMP B-TREE|scan_use_order|\(account_id=\? AND scan=\?\)$/.test(step)),
    ).toEqual([])
    await storage.close()
  })
})
