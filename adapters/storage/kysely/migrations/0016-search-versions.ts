import type { Migration } from './migration.ts'

/** By which version of the term rules each API was indexed; none for those indexed before. */
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
