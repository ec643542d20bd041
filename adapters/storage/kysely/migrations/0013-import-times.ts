import type { Migration } from './migration.ts'

/** Time of the last import of each description, including unchanged ones. */
export const importTimes: Migration = {
  name: 'import-times',
  async up(db, { integer, keyed }) {
    await db.schema
      .createTable('api_import')
      .addColumn('api_id', integer, (column) => column.primaryKey())
      .addColumn('imported_at', integer, (column) => column.notNull())
      .modifyEnd(keyed)
      .execute()
  },
}
