import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

/** An index to count the responses of an endpoint to an account's calls. */
export const answerCounts: Migration = {
  name: 'answer-counts',
  async up(db: Kysely<unknown>) {
    await sql`create index gateway_call_answers on gateway_call (account_id, endpoint_id, status)
      where failure = ''`.execute(db)
  },
}
