import type { Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/shared/account.ts'
import { foldName } from '../../../core/shared/text.ts'
import type { User } from '../../../core/users/records.ts'
import type { SessionRecord, StoredUser, UserStore } from '../../../core/users/store.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import { rejectLongName } from './filters.ts'
import type { Tables } from './tables.ts'
import { createInvitationStore } from './user-invitations.ts'

/** The session's `created_at` is renamed: the user has a column of the same name. */
type SessionRow = Omit<Tables['user_session'], 'created_at'> & { readonly begun_at: number }

/** Stores users, their sessions and invitations. */
export function createUserStore(engine: Engine): UserStore {
  return {
    ...createUserRecordStore(engine),
    ...createSessionStore(engine),
    ...createInvitationStore(engine),
  }
}

function createUserRecordStore(
  engine: Engine,
): Pick<
  UserStore,
  'saveUser' | 'findUser' | 'listUsers' | 'changeScopes' | 'changePassword' | 'removeUser'
> {
  const { db } = engine
  return {
    async saveUser(user) {
      return engine.write(async (tx) =>
        (await insertUser(tx, user)) ? withoutPasswordHash(user) : undefined,
      )
    },

    async findUser(idOrName) {
      const folded = foldName(idOrName)
      const row = await selectUsers(db)
        .where((where) =>
          where.or([
            where('console_user.id', '=', idOrName),
            where('console_user.folded_name', '=', folded),
          ]),
        )
        .orderBy((where) =>
          where.case().when('console_user.id', '=', idOrName).then(0).else(1).end(),
        )
        .limit(1)
        .executeTakeFirst()
      return row && toStoredUser(row)
    },

    async listUsers(account) {
      const rows: readonly UserRow[] = await selectUsers(db)
        .$if(account !== undefined, (query) =>
          query.where('console_user.account_id', '=', account?.id ?? ''),
        )
        .orderBy('console_user.position')
        .execute()
      return rows.map(toUser)
    },

    async changeScopes(userId, scopes) {
      return engine.write(async (tx) => {
        const changed = await tx
          .updateTable('console_user')
          .set({ scopes: toCleanJson(scopes) })
          .where('id', '=', userId)
          .returning('id')
          .executeTakeFirst()
        return changed !== undefined
      })
    },

    async changePassword({ userId, oldHash, newHash, tokenHash }) {
      return engine.write(async (tx) => {
        const changed = await tx
          .updateTable('console_user')
          .set({ password_hash: newHash })
          .where('id', '=', userId)
          .where('password_hash', '=', oldHash)
          .returning('id')
          .executeTakeFirst()
        if (!changed) return false
        await tx
          .deleteFrom('user_session')
          .where('user_id', '=', userId)
          .where('token_hash', '<>', tokenHash)
          .execute()
        await tx.deleteFrom('user_invitation').where('user_id', '=', userId).execute()
        return true
      })
    },

    async removeUser(userId) {
      return engine.write(async (tx) => {
        // Sessions and invitations are removed with the user.
        const removed = await tx
          .deleteFrom('console_user')
          .where('id', '=', userId)
          .returning('id')
          .executeTakeFirst()
        return removed !== undefined
      })
    },
  }
}

/** Inserts a user. Returns false if the name or ID is taken. */
export async function insertUser(tx: Kysely<Tables>, user: StoredUser): Promise<boolean> {
  const foldedName = foldName(user.name)
  rejectLongName('user', foldedName)
  const owner = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', user.account.id)
    .executeTakeFirst()
  if (!owner) {
    throw new ServiceError('not_found', 'Cannot save the user: account not found')
  }
  const saved = await tx
    .insertInto('console_user')
    .values({
      id: user.id,
      account_id: owner.id,
      name: user.name,
      folded_name: foldedName,
      scopes: toCleanJson(user.scopes),
      password_hash: user.passwordHash,
      created_at: user.createdAt,
      last_login_at: user.lastLoginAt ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

/** Selects users with the names of their accounts. */
export function selectUsers(db: Kysely<Tables>) {
  return db
    .selectFrom('console_user')
    .innerJoin('account', 'account.id', 'console_user.account_id')
    .select(USER_COLUMNS)
}

const USER_COLUMNS = [
  'console_user.id',
  'console_user.account_id',
  'console_user.name',
  'console_user.scopes',
  'console_user.password_hash',
  'console_user.created_at',
  'console_user.last_login_at',
  'account.name as account_name',
] as const

export type UserRow = Omit<Tables['console_user'], 'position' | 'folded_name'> & {
  readonly account_name: string
}

export function toStoredUser(row: UserRow): StoredUser {
  return { ...toUser(row), passwordHash: row.password_hash }
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    account: { id: row.account_id, name: row.account_name },
    // The cast is safe: `insertUser` or `changeScopes` wrote it.
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at ?? undefined,
  }
}

function withoutPasswordHash({ passwordHash: _, ...user }: StoredUser): User {
  return user
}

/** Stores login sessions. */
function createSessionStore(
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

function toSession(row: SessionRow): SessionRecord {
  return {
    tokenHash: row.token_hash,
    userId: row.user_id,
    createdAt: row.begun_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
}
