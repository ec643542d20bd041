import { ServiceError } from '../errors.ts'
import type { PasswordHasher } from '../ports/passwords.ts'
import type { Account, Scope } from '../shared/account.ts'
import type { UserDeps } from './deps.ts'
import type { Invitation, LoggedIn, User } from './records.ts'

/** Identifies a user. Users of other accounts are not found. */
export interface UserReference {
  /** Name or ID. */
  readonly userName: string
  /** Account that the user must belong to; undefined for operators, who may use all accounts. */
  readonly account: Account | undefined
}

/**
 * Users who log in, for the command line and the account area. Methods that accept a user name also
 * accept the ID, except `logIn`.
 */
export interface Users {
  /**
   * Logs a user in and returns the session token for the browser. Throws `unauthenticated` for an
   * unknown name and for a wrong password, with the same message after the same time. Throws
   * `too_many_requests` after too many recent failures of the name or address.
   */
  logIn(request: {
    readonly name: string
    readonly password: string
    /** Empty if unknown. */
    readonly clientAddress: string
  }): Promise<{ readonly token: string; readonly loggedIn: LoggedIn }>
  /** Returns the user of a session token; undefined if it is unknown, expired or logged out. */
  findLoggedIn(token: string): Promise<LoggedIn | undefined>
  logOut(token: string): Promise<void>
  /** Ends all other sessions of the user. Throws `forbidden` for a wrong old password. */
  changePassword(request: {
    readonly token: string
    readonly oldPassword: string
    readonly newPassword: string
  }): Promise<void>

  /** Creates an invitation link, with which its recipient becomes a user of the account. */
  invite(request: {
    readonly account: Account
    readonly scopes: readonly Scope[]
    /** Default: seven days. */
    readonly expiresInMs?: number
  }): Promise<{ readonly token: string; readonly invitation: Invitation }>
  /**
   * Creates a reset link, with which its recipient sets a new password. That ends all sessions.
   * Throws `not_found`.
   */
  inviteToReset(
    request: UserReference & { readonly expiresInMs?: number },
  ): Promise<{ readonly token: string; readonly invitation: Invitation }>
  /** Returns the purpose of a link; undefined if it is used, expired or unknown. */
  findInvitation(token: string): Promise<Invitation | undefined>
  /**
   * Redeems a link, once: creates the user or sets the password, and logs in. A new user's account
   * receives an API key if it has none. Throws `not_found`, `conflict` for an existing name, and
   * `invalid_input` for an invalid name or a weak password; the link then stays valid.
   */
  acceptInvitation(request: {
    readonly token: string
    /** For invitations; ignored for resets. */
    readonly name: string
    readonly password: string
  }): Promise<{ readonly token: string; readonly loggedIn: LoggedIn }>
  /** Lists open invitations by creation time; without an account, those of all accounts. */
  listInvitations(account?: Account): Promise<readonly Invitation[]>
  /**
   * Revokes an invitation of the account; without an account, any invitation. Throws `not_found`.
   */
  revokeInvitation(request: {
    readonly id: string
    readonly account: Account | undefined
  }): Promise<void>

  /** Creates a user. Throws `invalid_input` and `conflict`. */
  createUser(request: {
    readonly name: string
    readonly password: string
    readonly account: Account
    readonly scopes: readonly Scope[]
  }): Promise<User>
  /** Lists users by creation time; without an account, those of all accounts. */
  listUsers(account?: Account): Promise<readonly User[]>
  /**
   * Changes the scopes of a user at once, also for open sessions. Throws `not_found` and
   * `invalid_input`.
   */
  changeScopes(request: UserReference & { readonly scopes: readonly Scope[] }): Promise<void>
  /** Removes a user and ends all sessions of the user. Throws `not_found`. */
  removeUser(request: UserReference): Promise<void>
}

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
