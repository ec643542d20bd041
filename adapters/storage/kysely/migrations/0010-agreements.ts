import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** Agreements with source, dates, texts and history; replaces plain links. */
export const agreements: Migration = {
  name: 'agreements',
  async up(db, types) {
    await createAgreements(db, types)
    await createChanges(db, types)
    await sql`insert into agreement (api_id, source, position, kind, name, link, spdx_id,
        text_digest, text_size, retrieved_at, account_id, account_name, first_seen_at, changed_at)
      select link.api_id, 0, link.position, link.kind, link.name, link.link, '',
        '', 0, null, '', '', api.updated_at, api.updated_at
      from api_agreement link join api on api.id = link.api_id and api.until is null`.execute(db)
    await db.schema.dropTable('api_agreement').execute()
  },
}

async function createAgreements(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text, keyed } = types
  await db.schema
    .createTable('agreement')
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('source', small, (column) => column.notNull())
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('link', text, (column) => column.notNull())
    .addColumn('spdx_id', text, (column) => column.notNull())
    .addColumn('text_digest', text, (column) => column.notNull())
    .addColumn('text_size', integer, (column) => column.notNull())
    .addColumn('retrieved_at', integer)
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('account_name', text, (column) => column.notNull())
    .addColumn('first_seen_at', integer, (column) => column.notNull())
    .addColumn('changed_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('agreement_key', ['api_id', 'source', 'position'])
    .modifyEnd(keyed)
    .execute()
  await db.schema
    .createTable('agreement_text')
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('agreement_text_key', ['api_id', 'digest'])
    .execute()
}

async function createChanges(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text } = types
  await types
    .addPosition(db.schema.createTable('agreement_change'))
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('changed_at', integer, (column) => column.notNull())
    .addColumn('change', text, (column) => column.notNull())
    .addColumn('source', small, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('account_name', text, (column) => column.notNull())
    .addColumn('before', text, (column) => column.notNull())
    .addColumn('after', text, (column) => column.notNull())
    .execute()
  await sql`create index agreement_change_of_api
    on agreement_change (api_id, changed_at)`.execute(db)
  await sql`create index agreement_change_at on agreement_change (changed_at, api_id)`.execute(db)
}
