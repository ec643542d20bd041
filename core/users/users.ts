import { ServiceError } from '../http/problems.ts'
import type { UserDeps } from './deps.ts'
import type { PasswordHasher } from './records.ts'
import type { Users } from './service.ts'

/**
 * Creates the users of a service. What does the work is loaded with the first call: most processes
 * have nobody who logs in. Without a hasher, whatever needs a password rejects with
 * `not_implemented`.
 */
export function createUsers(
  deps: Omit<UserDeps, 'passwords'> & { readonly passwords: PasswordHasher | undefined },
): Users {
  let loading: Promise<Users> | undefined
  const load = () => {
    loading ??= import('./open-users.ts').then(({ openUsers }) =>
      openUsers({ ...deps, passwords: deps.passwords ?? NO_PASSWORDS }),
    )
    return loading
  }
  return {
    logIn: async (request) => (await load()).logIn(request),
    findLoggedIn: async (token) => (await load()).findLoggedIn(token),
    logOut: async (token) => (await load()).logOut(token),
    changePassword: async (request) => (await load()).changePassword(request),
    invite: async (request) => (await load()).invite(request),
    inviteToReset: async (request) => (await load()).inviteToReset(request),
    findInvitation: async (token) => (await load()).findInvitation(token),
    acceptInvitation: async (request) => (await load()).acceptInvitation(request),
    listInvitations: async (account) => (await load()).listInvitations(account),
    revokeInvitation: async (request) => (await load()).revokeInvitation(request),
    createUser: async (request) => (await load()).createUser(request),
    listUsers: async (account) => (await load()).listUsers(account),
    changeScopes: async (request) => (await load()).changeScopes(request),
    removeUser: async (request) => (await load()).removeUser(request),
  }
}

const NO_PASSWORDS: PasswordHasher = {
  hash: () => Promise.reject(toMissing()),
  verify: () => Promise.reject(toMissing()),
  isOutdated: () => false,
}

function toMissing(): ServiceError {
  return new ServiceError(
    'not_implemented',
    'Cannot deal with passwords: the service was created without "passwords"',
  )
}
