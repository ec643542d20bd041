import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** From where calls of the gateway came; older calls tell it only where a key was used. */
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
