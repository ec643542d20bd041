import type { Selectable } from 'kysely'
import type { ImportOutcome, StoredImport } from '../../../core/imports/records.ts'
import type { ImportStore, ReportRequest } from '../../../core/imports/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import { cleanText, toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import type { ImportReportTable } from './tables.ts'

/** Account ID of the operator. */
const OPERATOR_ID = ''

/** Stores the results of imports. */
export function createImportReports(
  engine: Engine,
): Pick<ImportStore, 'addReport' | 'listReports' | 'findReport' | 'findLatestTime'> {
  const select = (account: Account | undefined, state?: ReportRequest['state']) =>
    engine.db
      .selectFrom('import_report')
      .where('account_id', 'in', toVisibleAccountIds(account))
      .$if(state !== undefined, (query) =>
        query.where('is_failed', '=', Number(state === 'failed')),
      )

  return {
    addReport: ({ at, by, fileName, vendorName, apiId, apiName, outcome }, keep) =>
      engine.write(async (tx) => {
        const owner = by?.id ?? OPERATOR_ID
        const { position } = await tx
          .insertInto('import_report')
          .values({
            imported_at: at,
            account_id: owner,
            account_name: cleanText(by?.name ?? ''),
            file_name: cleanText(fileName),
            vendor_name: cleanText(vendorName),
            api_id: apiId,
            api_name: cleanText(apiName),
            is_failed: Number(outcome.kind === 'failed'),
            outcome: toCleanJson(outcome),
          })
          .returning('position')
          .executeTakeFirstOrThrow()
        await tx
          .deleteFrom('import_report')
          .where('account_id', '=', owner)
          .where('position', '<=', (query) =>
            query
              .selectFrom('import_report')
              .select('position')
              .where('account_id', '=', owner)
              .orderBy('position', 'desc')
              .offset(keep)
              .limit(1),
          )
          .execute()
        return position
      }),

    async listReports(account, { size, page, state }) {
      const { total } = await select(account, state)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await select(account, state)
        .selectAll()
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      return { items: rows.map(toStoredImport), total: Number(total) }
    },

    async findReport(account, id) {
      const row = await select(account).selectAll().where('position', '=', id).executeTakeFirst()
      return row && toStoredImport(row)
    },

    async findLatestTime() {
      const row = await engine.db
        .selectFrom('import_report')
        .select('imported_at')
        .where('is_failed', '=', 0)
        .orderBy('imported_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.imported_at
    },
  }
}

function toVisibleAccountIds(account: Account | undefined): string[] {
  return account ? [account.id, OPERATOR_ID] : [OPERATOR_ID]
}

function toStoredImport(row: Selectable<ImportReportTable>): StoredImport {
  return {
    id: row.position,
    at: row.imported_at,
    by: row.account_id === OPERATOR_ID ? undefined : { id: row.account_id, name: row.account_name },
    fileName: row.file_name,
    vendorName: row.vendor_name,
    apiId: row.api_id,
    apiName: row.api_name,
    outcome: JSON.parse(row.outcome) as ImportOutcome,
  }
}
