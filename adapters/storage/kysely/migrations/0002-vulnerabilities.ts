import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** CVE records, the parts of their index, and the lease of the loader. */
export const vulnerabilities: Migration = {
  name: 'vulnerabilities',
  async up(db, { kind, integer, text, bytes, keyed }) {
    await db.schema
      .createTable('cve_state')
      .addColumn('id', integer, (column) => column.primaryKey())
      .addColumn('generation', integer, (column) => column.notNull())
      .addColumn('changed_at', integer, (column) => column.notNull())
      .addColumn('next_row_id', integer, (column) => column.notNull())
      .addColumn('first_row_id', integer, (column) => column.notNull())
      .addColumn('load_token', text, (column) => column.notNull())
      .addColumn('load_source', text, (column) => column.notNull())
      .addColumn('load_began_at', integer, (column) => column.notNull())
      .addColumn('load_beat_at', integer, (column) => column.notNull())
      .execute()
    await sql`insert into cve_state
      (id, generation, changed_at, next_row_id, first_row_id,
        load_token, load_source, load_began_at, load_beat_at)
      values (1, 0, 0, 1, 1, '', '', 0, 0)`.execute(db)
    await db.schema
      .createTable('cve_generation')
      .addColumn('generation', integer, (column) => column.primaryKey())
      .addColumn('published_at', integer, (column) => column.notNull())
      .addColumn('manifest', text, (column) => column.notNull())
      .addColumn('sets', text, (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('cve_dropped')
      .addColumn('generation', integer, (column) => column.notNull())
      .addColumn('number', integer, (column) => column.notNull())
      .addColumn('row_ids', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('cve_dropped_key', ['generation', 'number'])
      .execute()
    await db.schema
      .createTable('cve_set')
      .addColumn('set_id', integer, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('cve_set_key', ['set_id', 'name'])
      .modifyEnd(keyed)
      .execute()
    // Uses row IDs on SQLite: with the bytes in the tree of the key, reads take three times as
    // long.
    await db.schema
      .createTable('cve_part')
      .addColumn('set_id', integer, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('number', integer, (column) => column.notNull())
      .addColumn('bytes', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('cve_part_key', ['set_id', 'name', 'number'])
      .execute()
    await db.schema
      .createTable('cve_record')
      .addColumn('row_id', integer, (column) => column.primaryKey())
      .addColumn('line', text, (column) => column.notNull())
      .addColumn('products', text, (column) => column.notNull())
      .execute()
    // Separate, so that reading many lines reads fewer pages.
    await db.schema
      .createTable('cve_detail')
      .addColumn('row_id', integer, (column) => column.primaryKey())
      .addColumn('detail', text, (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('cve_source')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('checkpoint', text, (column) => column.notNull())
      .addColumn('loaded_at', integer)
      .execute()
    // The core compresses the parts itself: the server would attempt it in vain.
    if (kind === 'postgres') {
      await sql`alter table cve_part alter column bytes set storage external`.execute(db)
    }
  },
}
