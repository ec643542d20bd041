import type { SessionRecord, UserStore } from '../../../core/users/store.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'
import { toUser, USER_COLUMNS, type UserRow } from './users.ts'

/** Stores login sessions. */
export function createSessionStore(
  engine: Engine,
): Pick<
  UserStore,
  'openSession' | 'findSession' | 'touchSession' | 'removeSession' | 'sweepUsers'
> {
  const findByHash = engine.prepare<SessionRow & UserRow>((db) =>
    db
      .selectFrom('user_session')
      .innerJoin('console_user', 'console_user.id', 'user_session.user_id')
      .innerJoin('account', 'account.id', 'console_user.account_id')
      .select(USER_COLUMNS)
      .select([
        'user_session.token_hash',
        'user_session.user_id',
        'user_session.created_at as begun_at',
        'user_session.last_seen_at',
        'user_session.expires_at',
      ])
      .where('user_session.token_hash', '=', ''),
  )
  return {
    async openSession(session, { verifiedHash, newHash }) {
      return engine.write(async (tx) => {
        // Locks the user's row: a concurrent password change waits, or is visible here.
        const user = await tx
          .updateTable('console_user')
          .set({ last_login_at: session.createdAt, password_hash: newHash ?? verifiedHash })
          .where('id', '=', session.userId)
          .where('password_hash', '=', verifiedHash)
          .returning('id')
          .executeTakeFirst()
        if (!user) return false
        await tx
          .insertInto('user_session')
          .values({
            token_hash: session.tokenHash,
            user_id: user.id,
            created_at: session.createdAt,
            last_seen_at: session.lastSeenAt,
            expires_at: session.expiresAt,
          })
          .execute()
        return true
      })
    },

    async findSession(tokenHash) {
      const [row] = await findByHash([tokenHash])
      return row && { session: toSession(row), user: toUser(row) }
    },

    async touchSession(tokenHash, lastSeenAt) {
      await engine.write((tx) =>
        tx
          .updateTable('user_session')
          .set({ last_seen_at: lastSeenAt })
          .where('token_hash', '=', tokenHash)
          .where('last_seen_at', '<', lastSeenAt)
          .execute(),
      )
    },

    async removeSession(tokenHash) {
      await engine.write((tx) =>
        tx.deleteFrom('user_session').where('token_hash', '=', tokenHash).execute(),
      )
    },

    async sweepUsers({ expired, seen }) {
      const sessions = await engine.write((tx) =>
        tx
          .deleteFrom('user_session')
          .where((where) =>
            where.or([where('expires_at', '<=', expired), where('last_seen_at', '<=', seen)]),
          )
          .executeTakeFirst(),
      )
      const invitations = await engine.write((tx) =>
        tx.deleteFrom('user_invitation').where('expires_at', '<=', expired).executeTakeFirst(),
      )
      return Number(sessions.numDeletedRows + invitations.numDeletedRows)
    },
  }
}

/** The session's `created_at` is renamed: the user has a column of the same name. */
type SessionRow = Omit<Tables['user_session'], 'created_at'> & { readonly begun_at: number }

function toSession(row: SessionRow): SessionRecord {
  return {
    tokenHash: row.token_hash,
    userId: row.user_id,
    createdAt: row.begun_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
}
