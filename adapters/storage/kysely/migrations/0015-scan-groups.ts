import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Usages of a scan grouped by API, else by vendor or registrable domain, with their counts. */
export const scanGroups: Migration = {
  name: 'scan-groups',
  async up(db, { integer, small, text, keyed }) {
    for (const table of ['scan_row', 'scan_use']) {
      await db.schema
        .alterTable(table)
        .addColumn('owner', text, (column) => column.notNull().defaultTo(''))
        .execute()
    }
    await sql`create index scan_use_group
      on scan_use (account_id, scan, part, api_id, owner, standing, place, row_count)`.execute(db)
    await db.schema
      .createTable('scan_group')
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('scan', integer, (column) => column.notNull())
      .addColumn('api_id', integer, (column) => column.notNull())
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('level', small, (column) => column.notNull())
      .addColumn('standing', small, (column) => column.notNull())
      .addColumn('uses', integer, (column) => column.notNull())
      .addColumn('row_count', integer, (column) => column.notNull())
      .addColumn('added', integer, (column) => column.notNull())
      .addColumn('added_open', integer, (column) => column.notNull())
      .addColumn('open', integer, (column) => column.notNull())
      .addColumn('refused', integer, (column) => column.notNull())
      .addColumn('approved', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_group_key', ['account_id', 'scan', 'api_id', 'owner'])
      .modifyEnd(keyed)
      .execute()
    await sql`create index scan_group_order
      on scan_group (account_id, scan, standing, level, uses desc, api_id, owner)`.execute(db)
    for (const decided of ['refused', 'approved']) {
      await sql`create index ${sql.ref(`scan_group_${decided}`)}
        on scan_group (account_id, scan, standing, level, uses desc, api_id, owner, ${sql.ref(decided)})
        where ${sql.ref(decided)} > 0`.execute(db)
    }
    // Stored scans have no groups yet: matching them to the catalogue again adds them.
    await sql`update scan set generation = -1`.execute(db)
  },
}
