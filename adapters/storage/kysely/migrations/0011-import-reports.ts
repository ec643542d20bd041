import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The result of each import, including failed ones. */
export const importReports: Migration = {
  name: 'import-reports',
  async up(db, types) {
    const { integer, small, text } = types
    await types
      .addPosition(db.schema.createTable('import_report'))
      .addColumn('imported_at', integer, (column) => column.notNull())
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('account_name', text, (column) => column.notNull())
      .addColumn('file_name', text, (column) => column.notNull())
      .addColumn('vendor_name', text, (column) => column.notNull())
      .addColumn('api_id', text, (column) => column.notNull())
      .addColumn('api_name', text, (column) => column.notNull())
      .addColumn('is_failed', small, (column) => column.notNull())
      .addColumn('outcome', text, (column) => column.notNull())
      .execute()
    await sql`create index import_report_of_account
      on import_report (account_id, position)`.execute(db)
    await sql`create index import_report_done
      on import_report (imported_at) where is_failed = 0`.execute(db)
  },
}
