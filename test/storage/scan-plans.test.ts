import { describe, expect, it } from 'vitest'
import { ADA, NOW, sampleRows, sampleScan, submit } from '../conformance/storage/scan-samples.ts'
import { openNoting } from '../helpers/noting-sqlite.ts'

/** Reads a whole scan, or all of an account. */
const WHOLE =
  /^(?:SCAN .*\brow\b|SEARCH (?:row|scan_row|next|of_api)\b.*\(account_id=\?(?: AND scan=\?)?\))/

describe('a large scan', () => {
  it('is not read as a whole for a review, or for a flow of an API', async () => {
    const { storage, noted, explain } = await openNoting(() => NOW)
    const scan = sampleScan(1, { kind: 'network' })
    const rows = sampleRows(20)
    await submit(storage.scans, { account: ADA, scan, rows })
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
})
