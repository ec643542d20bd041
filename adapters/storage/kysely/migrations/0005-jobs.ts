import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** The job queue, and the budget usage of rate-limit tests. */
export const jobs: Migration = {
  name: 'jobs',
  async up(db, types) {
    await createJobs(db, types)
    await createProbes(db, types)
  },
}

async function createJobs(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, small, text } = types
  await types
    .addPosition(db.schema.createTable('job'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('lock_name', text, (column) => column.notNull())
    .addColumn('needs', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('claim_at', integer)
    .addColumn('fence', integer, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('max_attempts', integer, (column) => column.notNull())
    .addColumn('is_cancelled', small, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('due_at', integer, (column) => column.notNull())
    .addColumn('started_at', integer)
    .addColumn('ended_at', integer)
    .addColumn('failure', text, (column) => column.notNull())
    .addColumn('summary', text, (column) => column.notNull())
    .addColumn('input', text, (column) => column.notNull())
    .addColumn('checkpoint', text, (column) => column.notNull())
    .addColumn('result', text, (column) => column.notNull())
    .execute()
  await sql`create index job_claim on job (claim_at, position)
    where claim_at is not null`.execute(db)
  await sql`create unique index job_lock on job (lock_name)
    where claim_at is not null and lock_name <> ''`.execute(db)
  await sql`create index job_of_subject
    on job (account_id, kind, subject, position)`.execute(db)
  await sql`create unique index job_of_number
    on job (account_id, kind, number)`.execute(db)
  await sql`create index job_open on job (account_id, position)
    where claim_at is not null`.execute(db)
  await sql`create index job_of_state on job (state, kind)`.execute(db)
  await sql`create index job_ended on job (ended_at)
    where ended_at is not null`.execute(db)
  await db.schema
    .createTable('job_number')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('newest', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('job_number_key', ['account_id', 'kind'])
    .modifyEnd(types.keyed)
    .execute()
}

async function createProbes(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, text, keyed } = types
  await db.schema
    .createTable('probe_token')
    .addColumn('account_id', text, (column) => column.primaryKey().notNull())
    .addColumn('token', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .modifyEnd(keyed)
    .execute()
  await db.schema
    .createTable('probe_day')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('taken', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('probe_day_key', ['scope', 'name', 'day'])
    .modifyEnd(keyed)
    .execute()
  await db.schema
    .createTable('probe_run')
    .addColumn('job_id', integer, (column) =>
      column.primaryKey().notNull().references('job.position').onDelete('cascade'),
    )
    .addColumn('budget', integer, (column) => column.notNull())
    .addColumn('taken', integer, (column) => column.notNull())
    .modifyEnd(keyed)
    .execute()
}
