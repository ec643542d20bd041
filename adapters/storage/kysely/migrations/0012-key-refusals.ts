import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Refused calls: one row for each key, operation and reason. */
export const keyRefusals: Migration = {
  name: 'key-refusals',
  async up(db, types) {
    const { integer, text, keyed } = types
    await db.schema
      .createTable('key_refusal')
      .addColumn('key_id', text, (column) => column.notNull())
      .addColumn('operation', text, (column) => column.notNull())
      .addColumn('reason', text, (column) => column.notNull())
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('refused', integer, (column) => column.notNull())
      .addColumn('last_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('key_refusal_key', ['key_id', 'operation', 'reason'])
      .modifyEnd(keyed)
      .execute()
    await sql`create index key_refusal_of_account
      on key_refusal (account_id, last_at)`.execute(db)
    await sql`create index key_refusal_by_age on key_refusal (last_at)`.execute(db)
  },
}
