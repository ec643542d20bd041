import { createId } from '../accounts/keys.ts'
import { quoteInput } from '../accounts/names.ts'
import { parseScopes } from '../accounts/scopes.ts'
import { ServiceError } from '../errors.ts'
import type { UserDeps } from './deps.ts'
import { validatePassword } from './passwords.ts'
import type { UserReference, Users } from './service.ts'
import { parseUserName } from './user-names.ts'

/** Creates the methods with which operators manage users. */
export function createUserAdmin(
  deps: UserDeps,
): Pick<Users, 'createUser' | 'listUsers' | 'changeScopes' | 'removeUser'> {
  const { store, passwords, clock, random, logger } = deps

  return {
    async createUser({ name: typed, password, account, scopes }) {
      const name = parseUserName(typed)
      const permitted = parseScopes('create a user', scopes)
      const text = validatePassword(password, [name, account.name])
      if (await store.findUser(name)) throw createNameTakenError(name)
      const user = {
        id: createId('usr', random),
        name,
        account,
        scopes: permitted,
        createdAt: clock(),
        lastLoginAt: undefined,
        passwordHash: await passwords.hash(text),
      }
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

/** Creates the error for a name that is already in use. */
export function createNameTakenError(name: string): ServiceError {
  return new ServiceError(
    'conflict',
    `Cannot create the user ${quoteInput(name)}: the name is taken`,
  )
}

function createUserNotFoundError(name: string): ServiceError {
  return new ServiceError('not_found', `User ${quoteInput(name)} not found`)
}
