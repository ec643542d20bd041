import { createId } from '../accounts/keys.ts'
import { quoteInput } from '../accounts/names.ts'
import { parseScopes } from '../accounts/scopes.ts'
import { ServiceError } from '../errors.ts'
import type { UserDeps } from './deps.ts'
import { validatePassword } from './passwords.ts'
import type { User } from './records.ts'
import type { UserReference, Users } from './service.ts'
import type { StoredUser } from './store.ts'
import { parseUserName } from './user-names.ts'

/** Creates the methods with which operators manage users. */
export function createUserAdmin(
  deps: UserDeps,
): Pick<Users, 'createUser' | 'listUsers' | 'changeScopes' | 'removeUser'> {
  const { store, logger } = deps

  return {
    async createUser({ name: typed, password, account, scopes }) {
      const name = parseUserName(typed)
      const permitted = parseScopes('create a user', scopes)
      const user = await buildUser(deps, { name, password, account, scopes: permitted })
      const saved = await store.saveUser(user)
      if (!saved) throw createNameTakenError(name)
      logger.log('info', 'user_created', { user: name, account: account.name })
      await deps.makeFirstKey(saved)
      return saved
    },

    listUsers: (account) => store.listUsers(account),

    async changeScopes({ scopes, ...reference }) {
      const permitted = parseScopes('update a user', scopes)
      const user = await getUser(deps, reference)
      if (!(await store.changeScopes(user.id, permitted)))
        throw createUserNotFoundError(reference.userName)
      logger.log('info', 'user_scopes_changed', { user: user.name, scopes: permitted.join(' ') })
    },

    async removeUser(reference) {
      const user = await getUser(deps, reference)
      if (!(await store.removeUser(user.id))) throw createUserNotFoundError(reference.userName)
      logger.log('info', 'user_removed', { user: user.name })
    },
  }
}

/** Finds a user by name or ID. Throws `not_found`, also for a user of another account. */
export async function getUser(
  { store }: Pick<UserDeps, 'store'>,
  { userName, account }: UserReference,
) {
  const user = await store.findUser(userName)
  if (user && (account === undefined || user.account.id === account.id)) return user
  throw createUserNotFoundError(userName)
}

/** Builds the record of a new user. Throws if the password is invalid or the name is taken. */
export async function buildUser(
  { store, passwords, clock, random }: UserDeps,
  wanted: Pick<User, 'name' | 'account' | 'scopes'> & { readonly password: string },
): Promise<StoredUser> {
  const { name, account, scopes } = wanted
  const password = validatePassword(wanted.password, [name, account.name])
  if (await store.findUser(name)) throw createNameTakenError(name)
  return {
    id: createId('usr', random),
    name,
    account,
    scopes,
    createdAt: clock(),
    lastLoginAt: undefined,
    passwordHash: await passwords.hash(password),
  }
}

function createNameTakenError(name: string): ServiceError {
  return new ServiceError(
    'conflict',
    `Cannot create the user ${quoteInput(name)}: the name is taken`,
  )
}

function createUserNotFoundError(name: string): ServiceError {
  return new ServiceError('not_found', `User ${quoteInput(name)} not found`)
}
