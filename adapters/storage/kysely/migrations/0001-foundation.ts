import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** Catalogue, search index, accounts and keys. */
export const foundation: Migration = {
  name: 'foundation',
  async up(db, types) {
    await createState(db, types)
    await createVendors(db, types)
    await createApis(db, types)
    await createEndpoints(db, types)
    await createAccounts(db, types)
  },
}

async function createState(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('catalogue_state')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('generation', integer, (column) => column.notNull())
    .addColumn('changed_at', integer, (column) => column.notNull())
    .addColumn('purged', integer, (column) => column.notNull())
    .addColumn('next_vendor_id', integer, (column) => column.notNull())
    .addColumn('next_api_id', integer, (column) => column.notNull())
    .addColumn('next_endpoint_id', integer, (column) => column.notNull())
    .execute()
  await sql`insert into catalogue_state
    (id, generation, changed_at, purged, next_vendor_id, next_api_id, next_endpoint_id)
    values (1, 0, 0, 0, 1, 1, 1)`.execute(db)
  await db.schema
    .createTable('catalogue_generation')
    .addColumn('generation', integer, (column) => column.primaryKey())
    .addColumn('started_at', integer, (column) => column.notNull())
    .execute()
}

async function createVendors(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text, keyed } = types
  await db.schema
    .createTable('vendor')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('encrypted_id', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('folded_name', text, (column) => column.notNull().unique())
    .addColumn('homepage', text, (column) => column.notNull())
    .addColumn('host', text, (column) => column.notNull())
    .addColumn('description', text, (column) => column.notNull())
    .addColumn('words', text, (column) => column.notNull())
    .addColumn('is_public', small, (column) => column.notNull())
    .addColumn('image', text, (column) => column.notNull())
    .addColumn('countries', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('vendor_agreement')
    .addColumn('vendor_id', integer, (column) => column.notNull().references('vendor.id'))
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('link', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('vendor_agreement_key', ['vendor_id', 'position'])
    .modifyEnd(keyed)
    .execute()
}

async function createApis(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text, bytes, keyed } = types
  await db.schema
    .createTable('api')
    .addColumn('row_id', integer, (column) => column.primaryKey())
    .addColumn('id', integer, (column) => column.notNull())
    .addColumn('since', integer, (column) => column.notNull())
    .addColumn('until', integer)
    .addColumn('encrypted_id', text, (column) => column.notNull())
    .addColumn('vendor_id', integer, (column) => column.notNull().references('vendor.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('folded_name', text, (column) => column.notNull())
    .addColumn('major_version', text, (column) => column.notNull())
    .addColumn('version', text, (column) => column.notNull())
    .addColumn('category_id', integer)
    .addColumn('is_public', small, (column) => column.notNull())
    .addColumn('is_implemented', small, (column) => column.notNull())
    .addColumn('is_claiming', small, (column) => column.notNull())
    .addColumn('can_claim', small, (column) => column.notNull())
    .addColumn('is_agreements_restricted', small, (column) => column.notNull())
    .addColumn('is_described', small, (column) => column.notNull())
    .addColumn('source_digest', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .execute()
  await sql`create unique index api_version on api (id, since)`.execute(db)
  await sql`create unique index api_current_identity
    on api (vendor_id, folded_name, major_version) where until is null`.execute(db)
  await sql`create unique index api_current_encrypted_id
    on api (encrypted_id) where until is null`.execute(db)
  await sql`create index api_current_name on api (folded_name, id) where until is null`.execute(db)
  await sql`create index api_added on api (created_at desc, id)`.execute(db)
  await sql`create index api_ended on api (until) where until is not null`.execute(db)
  await db.schema
    .createTable('api_agreement')
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('link', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('api_agreement_key', ['api_id', 'position'])
    .modifyEnd(keyed)
    .execute()
  await db.schema
    .createTable('api_source')
    .addColumn('api_id', integer, (column) => column.primaryKey())
    .addColumn('media_type', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('bytes', bytes, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('component')
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('pointer', text, (column) => column.notNull())
    .addColumn('json', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('component_key', ['api_id', 'pointer'])
    .execute()
}

async function createEndpoints(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, real, text, bytes, keyed } = types
  await db.schema
    .createTable('endpoint')
    .addColumn('row_id', integer, (column) => column.primaryKey())
    .addColumn('id', integer, (column) => column.notNull())
    .addColumn('since', integer, (column) => column.notNull())
    .addColumn('until', integer)
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('short_id', text, (column) => column.notNull())
    .addColumn('digest', integer, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('key_digest', integer, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('description', text, (column) => column.notNull())
    .addColumn('is_inbound', small, (column) => column.notNull())
    .execute()
  await sql`create unique index endpoint_version on endpoint (id, since)`.execute(db)
  await sql`create unique index endpoint_current_short_id
    on endpoint (short_id) where until is null`.execute(db)
  await sql`create unique index endpoint_current_key
    on endpoint (api_id, key_digest) where until is null`.execute(db)
  await sql`create index endpoint_ended on endpoint (until) where until is not null`.execute(db)
  await db.schema
    .createTable('endpoint_detail')
    .addColumn('row_id', integer, (column) => column.primaryKey().references('endpoint.row_id'))
    .addColumn('servers', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('search_posting')
    .addColumn('term', text, (column) => column.notNull())
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('weight', real, (column) => column.notNull())
    .addColumn('endpoints', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('search_posting_key', ['term', 'api_id'])
    .modifyEnd(keyed)
    .execute()
  await sql`create index search_posting_of_api on search_posting (api_id, term)`.execute(db)
}

async function createAccounts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, text } = types
  await types
    .addPosition(db.schema.createTable('account'))
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('folded_name', text, (column) => column.notNull().unique())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await types
    .addPosition(db.schema.createTable('api_key'))
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull().references('account.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('hint', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('sealed', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer)
    .addColumn('revoked_at', integer)
    .addColumn('last_used_at', integer)
    .addUniqueConstraint('api_key_of_account', ['account_id', 'id'])
    .execute()
}
