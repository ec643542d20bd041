import type { Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/shared/account.ts'
import { foldName } from '../../../core/shared/text.ts'
import type { Invitation } from '../../../core/users/records.ts'
import type { UserStore } from '../../../core/users/store.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'
import { insertUser, selectUsers, toStoredUser } from './users.ts'

/** Stores single-use invitation and password links. */
export function createInvitationStore(
  engine: Engine,
): Pick<
  UserStore,
  | 'saveInvitation'
  | 'findInvitation'
  | 'listInvitations'
  | 'acceptInvitation'
  | 'acceptReset'
  | 'removeInvitation'
> {
  const { db } = engine
  return {
    async saveInvitation(invitation) {
      await engine.write(async (tx) => {
        const place = await findInvitee(tx, invitation)
        if (place.user_id !== null) {
          await lockUser({ engine, tx, userId: place.user_id })
          await tx.deleteFrom('user_invitation').where('user_id', '=', place.user_id).execute()
        }
        await tx
          .insertInto('user_invitation')
          .values({
            ...place,
            id: invitation.id,
            token_hash: invitation.tokenHash,
            scopes: toCleanJson(invitation.scopes),
            created_at: invitation.createdAt,
            expires_at: invitation.expiresAt,
          })
          .execute()
      })
    },

    async findInvitation(tokenHash) {
      const row = await selectInvitations(db)
        .where('user_invitation.token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && toInvitation(row)
    },

    async listInvitations(now, account) {
      const rows: readonly InvitationRow[] = await selectInvitations(db)
        .where('user_invitation.expires_at', '>', now)
        .$if(account !== undefined, (query) =>
          query.where('user_invitation.account_id', '=', account?.id ?? ''),
        )
        .orderBy('user_invitation.position')
        .execute()
      return rows.map(toInvitation)
    },

    async acceptInvitation(tokenHash, user) {
      return engine.write(async (tx) => {
        const taken = await tx
          .deleteFrom('user_invitation')
          .where('token_hash', '=', tokenHash)
          .where('user_id', 'is', null)
          .where('expires_at', '>', user.createdAt)
          .returning('id')
          .executeTakeFirst()
        if (!taken) return false
        if (await insertUser(tx, user)) return true
        // Throwing also rolls back the removal.
        throw new ServiceError('conflict', 'Cannot save the user: the name is taken')
      })
    },

    async acceptReset(tokenHash, { passwordHash, now }) {
      return engine.write(async (tx) => {
        const wanted = await tx
          .selectFrom('user_invitation')
          .select('user_id as userId')
          .where('token_hash', '=', tokenHash)
          .executeTakeFirst()
        if (!wanted?.userId) return undefined
        await lockUser({ engine, tx, userId: wanted.userId })
        const taken = await tx
          .deleteFrom('user_invitation')
          .where('token_hash', '=', tokenHash)
          .where('expires_at', '>', now)
          .returning('id')
          .executeTakeFirst()
        if (!taken) return undefined
        await tx
          .updateTable('console_user')
          .set({ password_hash: passwordHash })
          .where('id', '=', wanted.userId)
          .execute()
        await tx.deleteFrom('user_session').where('user_id', '=', wanted.userId).execute()
        const user = await selectUsers(tx)
          .where('console_user.id', '=', wanted.userId)
          .executeTakeFirst()
        return user && toStoredUser(user)
      })
    },

    async removeInvitation(id, account) {
      return engine.write(async (tx) => {
        const chosen = tx.deleteFrom('user_invitation').where('id', '=', id)
        const own = account ? chosen.where('account_id', '=', account.id) : chosen
        const removed = await own.returning('id').executeTakeFirst()
        return removed !== undefined
      })
    },
  }
}

type InvitationRow = Omit<Tables['user_invitation'], 'position' | 'token_hash'> & {
  readonly account_name: string
  readonly user_name: string | null
}

/**
 * Locks the user until the transaction ends. Every change of a user and its links locks the user
 * first, which prevents deadlocks.
 */
async function lockUser(target: {
  readonly engine: Engine
  readonly tx: Kysely<Tables>
  readonly userId: string
}): Promise<void> {
  const { engine, tx, userId } = target
  if (engine.kind !== 'postgres') return
  await tx
    .selectFrom('console_user')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .execute()
}

/** Finds the account of the new user, or the user whose password is set. Throws `not_found`. */
async function findInvitee(
  tx: Kysely<Tables>,
  { account, userName }: Invitation,
): Promise<{ readonly account_id: string; readonly user_id: string | null }> {
  if (userName === undefined) {
    const found = await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', account.id)
      .executeTakeFirst()
    if (found) return { account_id: found.id, user_id: null }
    throw new ServiceError('not_found', 'Cannot create the invitation: account not found')
  }
  const user = await tx
    .selectFrom('console_user')
    .select(['id', 'account_id'])
    .where('folded_name', '=', foldName(userName))
    .executeTakeFirst()
  if (user) return { account_id: user.account_id, user_id: user.id }
  throw new ServiceError('not_found', 'Cannot create the password link: user not found')
}

function selectInvitations(db: Kysely<Tables>) {
  return db
    .selectFrom('user_invitation')
    .innerJoin('account', 'account.id', 'user_invitation.account_id')
    .leftJoin('console_user', 'console_user.id', 'user_invitation.user_id')
    .select([
      'user_invitation.id',
      'user_invitation.user_id',
      'user_invitation.account_id',
      'user_invitation.scopes',
      'user_invitation.created_at',
      'user_invitation.expires_at',
      'account.name as account_name',
      'console_user.name as user_name',
    ])
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    kind: row.user_id === null ? 'invite' : 'reset',
    userName: row.user_name ?? undefined,
    account: { id: row.account_id, name: row.account_name },
    // The cast is safe: `saveInvitation` wrote it.
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
