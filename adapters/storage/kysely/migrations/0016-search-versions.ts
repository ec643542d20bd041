import type { Migration } from './migration.ts'

/** Version of the term rules with which each API was indexed; absent for earlier indexes. */
export const searchVersions: Migration = {
  name: 'search-versions',
  async up(db, { integer, small, keyed }) {
    await db.schema
      .createTable('search_version')
      .addColumn('api_id', integer, (column) => column.primaryKey())
      .addColumn('version', small, (column) => column.notNull())
      .modifyEnd(keyed)
      .execute()
  },
}
