import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The source of gateway calls; for earlier calls it is known only if they used a key. */
export const callSources: Migration = {
  name: 'call-sources',
  async up(db, { text }) {
    await db.schema
      .alterTable('gateway_call')
      .addColumn('source', text, (column) => column.notNull().defaultTo('unknown'))
      .execute()
    await sql`update gateway_call set source = 'key' where key_id <> ''`.execute(db)
  },
}
