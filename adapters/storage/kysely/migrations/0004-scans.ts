import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** Scans, their rows, matched APIs and review decisions. */
export const scans: Migration = {
  name: 'scans',
  async up(db, types) {
    await createScans(db, types)
    await createUploads(db, types)
    await createRows(db, types)
  },
}

async function createScans(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text } = types
  await types
    .addPosition(db.schema.createTable('scan'))
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('group_key', text, (column) => column.notNull())
    .addColumn('project_name', text, (column) => column.notNull())
    .addColumn('folded_project', text, (column) => column.notNull())
    .addColumn('network_name', text, (column) => column.notNull())
    .addColumn('folded_network', text, (column) => column.notNull())
    .addColumn('started_at', integer, (column) => column.notNull())
    .addColumn('ended_at', integer)
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('state', small, (column) => column.notNull())
    .addColumn('review_status', text, (column) => column.notNull())
    .addColumn('is_approved', text, (column) => column.notNull())
    .addColumn('reviewed_by', text, (column) => column.notNull())
    .addColumn('reviewed_at', integer)
    .addColumn('generation', integer, (column) => column.notNull())
    .addColumn('matching', integer, (column) => column.notNull())
    .addColumn('analyzed_at', integer, (column) => column.notNull())
    .addColumn('row_count', integer, (column) => column.notNull())
    .addColumn('matched_count', integer, (column) => column.notNull())
    .addColumn('next_part', integer, (column) => column.notNull())
    .addColumn('touched_at', integer, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .addUniqueConstraint('scan_id', ['account_id', 'id'])
    .execute()
  await sql`create index scan_of_account
    on scan (account_id, kind, state, started_at, position)`.execute(db)
  await sql`create index scan_of_group
    on scan (account_id, group_key, started_at, position)`.execute(db)
  await sql`create index scan_touched on scan (state, touched_at)`.execute(db)
}

async function createUploads(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, text, keyed } = types
  await db.schema
    .createTable('scan_upload')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('scan', integer, (column) => column.notNull())
    .addColumn('part', integer, (column) => column.notNull())
    .addColumn('touched_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_upload_part', ['account_id', 'scan', 'part'])
    .modifyEnd(keyed)
    .execute()
  await sql`create index scan_upload_touched on scan_upload (touched_at)`.execute(db)
  await db.schema
    .createTable('scan_part')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('scan', integer, (column) => column.notNull())
    .addColumn('part', integer, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('row_count', integer, (column) => column.notNull())
    .addColumn('matched_count', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_part_number', ['account_id', 'scan', 'part'])
    .modifyEnd(keyed)
    .execute()
  await db.schema
    .createTable('scan_key')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('scan', integer, (column) => column.notNull())
    .addColumn('part', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_key_name', ['account_id', 'name'])
    .modifyEnd(keyed)
    .execute()
  await sql`create index scan_key_of_scan on scan_key (account_id, scan)`.execute(db)
}

async function createRows(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, real, text, keyed } = types
  await db.schema
    .createTable('scan_row')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('scan', integer, (column) => column.notNull())
    .addColumn('place', integer, (column) => column.notNull())
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('endpoint_id', integer)
    .addColumn('confidence', real)
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('subject_digest', integer, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_row_place', ['account_id', 'scan', 'place'])
    .modifyEnd(keyed)
    .execute()
  await sql`create index scan_row_of_api
    on scan_row (account_id, scan, api_id, place)`.execute(db)
  await sql`create index scan_row_of_subject
    on scan_row (account_id, scan, subject_digest, method, place)`.execute(db)
  await db.schema
    .createTable('scan_api')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('scan', integer, (column) => column.notNull())
    .addColumn('api_id', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_api_id', ['account_id', 'scan', 'api_id'])
    .modifyEnd(keyed)
    .execute()
  await db.schema
    .createTable('scan_decision')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('scan', integer, (column) => column.notNull())
    .addColumn('subject_digest', integer, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('approval', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('decided_by', text, (column) => column.notNull())
    .addColumn('decided_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_decision_subject', [
      'account_id',
      'scan',
      'subject_digest',
      'method',
    ])
    .modifyEnd(keyed)
    .execute()
}
