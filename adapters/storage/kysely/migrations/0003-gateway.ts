import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** Credentials, policies, budgets, audit log, recordings and example responses of the gateway. */
export const gateway: Migration = {
  name: 'gateway',
  async up(db, types) {
    await createCredentials(db, types)
    await createPolicies(db, types)
    await createCalls(db, types)
    await createRecordings(db, types)
  },
}

async function createCredentials(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, text } = types
  await types
    .addPosition(db.schema.createTable('gateway_credential'))
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('vendor_id', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('folded_name', text, (column) => column.notNull())
    .addColumn('origins', text, (column) => column.notNull())
    .addColumn('token_url', text, (column) => column.notNull())
    .addColumn('oauth_scope', text, (column) => column.notNull())
    .addColumn('sealed', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addUniqueConstraint('gateway_credential_id', ['account_id', 'id'])
    .addUniqueConstraint('gateway_credential_place', [
      'account_id',
      'api_id',
      'vendor_id',
      'kind',
      'folded_name',
    ])
    .execute()
  await sql`create index gateway_credential_of_api on gateway_credential (api_id)`.execute(db)
}

async function createPolicies(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, text, keyed } = types
  await db.schema
    .createTable('gateway_policy')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('vendor_ids', text)
    .addColumn('api_ids', text)
    .addColumn('methods', text)
    .addColumn('daily_budget', integer)
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_policy_key', ['account_id', 'key_id'])
    .execute()
  await db.schema
    .createTable('gateway_budget')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('taken', integer, (column) => column.notNull())
    .addColumn('granted', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_budget_key', ['account_id', 'key_id', 'day'])
    .modifyEnd(keyed)
    .execute()
  await sql`create index gateway_budget_day on gateway_budget (day)`.execute(db)
}

async function createCalls(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, real, text, keyed } = types
  await types
    .addPosition(db.schema.createTable('gateway_call'))
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('endpoint_id', integer, (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('origin', text, (column) => column.notNull())
    .addColumn('started_at', integer, (column) => column.notNull())
    .addColumn('status', small, (column) => column.notNull())
    .addColumn('failure', text, (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('ms', real, (column) => column.notNull())
    .execute()
  await sql`create index gateway_call_of_account
    on gateway_call (account_id, started_at, position)`.execute(db)
  await sql`create index gateway_call_started on gateway_call (started_at)`.execute(db)
  await db.schema
    .createTable('gateway_call_day')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('day', integer, (column) => column.notNull())
    .addColumn('calls', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_call_day_key', ['account_id', 'day'])
    .modifyEnd(keyed)
    .execute()
}

async function createRecordings(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text } = types
  await types
    .addPosition(db.schema.createTable('gateway_recording'))
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('endpoint_id', integer, (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('recorded_at', integer, (column) => column.notNull())
    .addColumn('status', small, (column) => column.notNull())
    .addColumn('headers', text, (column) => column.notNull())
    .addColumn('media_type', text, (column) => column.notNull())
    .addColumn('is_truncated', small, (column) => column.notNull())
    // Last, so that lists need not read past it.
    .addColumn('body', text)
    .addUniqueConstraint('gateway_recording_id', ['account_id', 'id'])
    .execute()
  await sql`create index gateway_recording_of_account
    on gateway_recording (account_id, recorded_at, position)`.execute(db)
  await sql`create index gateway_recording_of_api on gateway_recording (api_id)`.execute(db)
  await db.schema
    .createTable('published_answer')
    .addColumn('api_id', integer, (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addColumn('status', small, (column) => column.notNull())
    .addColumn('headers', text, (column) => column.notNull())
    .addColumn('media_type', text, (column) => column.notNull())
    .addColumn('published_at', integer, (column) => column.notNull())
    .addColumn('body', text)
    .addPrimaryKeyConstraint('published_answer_key', ['api_id', 'endpoint'])
    .execute()
}
