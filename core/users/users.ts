import { ServiceError } from '../errors.ts'
import type { PasswordHasher } from '../ports/passwords.ts'
import type { UserDeps } from './deps.ts'
import type { Users } from './service.ts'

/**
 * Creates the users service. Its implementation is loaded at the first call, as most processes have
 * no logged-in users. Without a hasher, operations that need a password reject with
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
  hash: () => Promise.reject(createNoPasswordsError()),
  verify: () => Promise.reject(createNoPasswordsError()),
  isOutdated: () => false,
}

function createNoPasswordsError(): ServiceError {
  return new ServiceError(
    'not_implemented',
    'Cannot process passwords: pass the "passwords" option',
  )
}
