import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

/** An index to count the answers that an account's calls of an endpoint got. */
export const answerCounts: Migration = {
  name: 'answer-counts',
  async up(db: Kysely<unknown>) {
    await sql`create index gateway_call_answers on gateway_call (account_id, endpoint_id, status)
      where failure = ''`.execute(db)
  },
}
