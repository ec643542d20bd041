import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** Users, their sessions and invitations. */
export const users: Migration = {
  name: 'users',
  async up(db: Kysely<unknown>, types: ColumnTypes) {
    const { integer, text, keyed } = types
    await types
      .addPosition(db.schema.createTable('console_user'))
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('account_id', text, (column) => column.notNull().references('account.id'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('folded_name', text, (column) => column.notNull().unique())
      .addColumn('scopes', text, (column) => column.notNull())
      .addColumn('password_hash', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_login_at', integer)
      .execute()
    await sql`create index console_user_of_account
      on console_user (account_id, position)`.execute(db)
    await db.schema
      .createTable('user_session')
      .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
      .addColumn('user_id', text, (column) =>
        column.notNull().references('console_user.id').onDelete('cascade'),
      )
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_seen_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .modifyEnd(keyed)
      .execute()
    await sql`create index user_session_of_user on user_session (user_id)`.execute(db)
    await types
      .addPosition(db.schema.createTable('user_invitation'))
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('token_hash', text, (column) => column.notNull().unique())
      .addColumn('user_id', text, (column) =>
        column.references('console_user.id').onDelete('cascade'),
      )
      .addColumn('account_id', text, (column) => column.notNull().references('account.id'))
      .addColumn('scopes', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .execute()
    await sql`create index user_invitation_of_user on user_invitation (user_id)
      where user_id is not null`.execute(db)
  },
}
