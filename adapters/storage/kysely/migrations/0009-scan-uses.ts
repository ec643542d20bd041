import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** The usages of a scan: rows by subject and method, with their status and counts. */
export const scanUses: Migration = {
  name: 'scan-uses',
  async up(db: Kysely<unknown>, types: ColumnTypes) {
    const { integer, small, text, keyed } = types
    await db.schema.alterTable('scan').addColumn('former', integer).execute()
    await db.schema
      .createTable('scan_use')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('scan', integer, (column) => column.notNull())
      .addColumn('part', integer, (column) => column.notNull())
      .addColumn('subject_digest', integer, (column) => column.notNull())
      .addColumn('method', text, (column) => column.notNull())
      .addColumn('other_digest', integer, (column) => column.notNull())
      .addColumn('place', integer, (column) => column.notNull())
      .addColumn('api_id', integer, (column) => column.notNull())
      .addColumn('standing', small, (column) => column.notNull())
      .addColumn('row_count', integer, (column) => column.notNull())
      .addColumn('outgoing', integer, (column) => column.notNull())
      .addColumn('first_at', integer, (column) => column.notNull())
      .addColumn('last_at', integer, (column) => column.notNull())
      .addColumn('address', text, (column) => column.notNull())
      .addColumn('files', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_use_subject', [
        'account_id',
        'scan',
        'part',
        'subject_digest',
        'method',
        'other_digest',
      ])
      .modifyEnd(keyed)
      .execute()
    await sql`create index scan_use_order
      on scan_use (account_id, scan, part, standing, api_id, place, row_count)`.execute(db)
    await sql`create index scan_use_address on scan_use (account_id, scan, part, address, row_count)
      where address <> ''`.execute(db)
    await db.schema
      .createTable('scan_figure')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('scan', integer, (column) => column.notNull())
      .addColumn('api_id', integer, (column) => column.notNull())
      .addColumn('standing', small, (column) => column.notNull())
      .addColumn('uses', integer, (column) => column.notNull())
      .addColumn('row_count', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_figure_standing', ['account_id', 'scan', 'api_id', 'standing'])
      .modifyEnd(keyed)
      .execute()
  },
}
