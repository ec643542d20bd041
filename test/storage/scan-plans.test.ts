import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createSqliteEngine } from '../../adapters/storage/kysely/sqlite-engine.ts'
import { openKyselyStorage } from '../../adapters/storage/kysely/storage.ts'
import { ADA, NOW, sampleRows, sampleScan, submit } from '../conformance/storage/scan-samples.ts'

/** A storage that notes the statements it runs. */
async function openNoting() {
  const database = new DatabaseSync(':memory:')
  const noted = new Set<string>()
  const toInput = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  const connection = {
    prepare(sql: string) {
      const statement = database.prepare(sql)
      noted.add(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...toInput(parameters)),
        run: (parameters: readonly unknown[]) => statement.run(...toInput(parameters)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...toInput(parameters)),
      }
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
  const engine = await createSqliteEngine({
    writer: connection,
    reader: undefined,
    toDialect: (writer) => new SqliteDialect({ database: writer }),
  })
  const explain = (sql: string) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => null))
      .map((step) => String(step.detail))
  return { storage: await openKyselyStorage(engine, () => NOW), noted, explain }
}

/** Reads a whole scan, or all of an account. */
const WHOLE =
  /^(?:SCAN .*\brow\b|SEARCH (?:row|scan_row|next|of_api)\b.*\(account_id=\?(?: AND scan=\?)?\))/

describe('a large scan', () => {
  it('is not read as a whole for a review, or for a flow of an API', async () => {
    const { storage, noted, explain } = await openNoting()
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
