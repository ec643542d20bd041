import type { Account, Scope } from '../shared/account.ts'
import type { Invitation, LoggedIn, User } from './records.ts'

/** Which user is meant, and for whom: somebody else's users are not found. */
export interface UserReference {
  /** Name or id. */
  readonly userName: string
  /** Whose user it must be; undefined for an operator, who has those of all accounts. */
  readonly account: Account | undefined
}

/**
 * People who log in: for the command line and the account area. Where a method takes a user's name,
 * it takes the id as well; the log-in takes names alone.
 */
export interface Users {
  /**
   * Logs a person in and gives the token that the browser keeps. Throws `unauthenticated` in one
   * and the same way for an unknown name and a wrong password, after one and the same time, and
   * `too_many_requests` where name or address failed too often of late.
   */
  logIn(request: {
    readonly name: string
    readonly password: string
    /** Empty when unknown. */
    readonly clientAddress: string
  }): Promise<{ readonly token: string; readonly loggedIn: LoggedIn }>
  /** Who holds a token; undefined for one that is unknown, has expired or was logged out. */
  findLoggedIn(token: string): Promise<LoggedIn | undefined>
  logOut(token: string): Promise<void>
  /** Ends all other sessions of the user. Throws `forbidden` for a wrong old password. */
  changePassword(request: {
    readonly token: string
    readonly oldPassword: string
    readonly newPassword: string
  }): Promise<void>

  /** Makes a link's token: whoever opens it becomes a user of the account. */
  invite(request: {
    readonly account: Account
    readonly scopes: readonly Scope[]
    /** Seven days when absent. */
    readonly expiresInMs?: number
  }): Promise<{ readonly token: string; readonly invitation: Invitation }>
  /**
   * Makes a link's token: whoever opens it sets the user's password anew; sessions end then. Throws
   * `not_found`.
   */
  inviteToReset(
    request: UserReference & { readonly expiresInMs?: number },
  ): Promise<{ readonly token: string; readonly invitation: Invitation }>
  /** What a link is for; undefined when it is used, has expired or never was. */
  findInvitation(token: string): Promise<Invitation | undefined>
  /**
   * Uses a link, once: makes the user, with a first API key where the account has none, or sets the
   * password, and logs in. Throws `not_found`, `conflict` for a name that is taken, and
   * `invalid_input` for a bad name or a weak password; then the link stays.
   */
  acceptInvitation(request: {
    readonly token: string
    /** Of an invitation; ignored at a reset. */
    readonly name: string
    readonly password: string
  }): Promise<{ readonly token: string; readonly loggedIn: LoggedIn }>
  /** Those that are open, in order of creation; without account, of all. */
  listInvitations(account?: Account): Promise<readonly Invitation[]>
  /** Without account, one of any. Throws `not_found`. */
  revokeInvitation(request: {
    readonly id: string
    readonly account: Account | undefined
  }): Promise<void>

  /** Throws `invalid_input`, `conflict`. */
  createUser(request: {
    readonly name: string
    readonly password: string
    readonly account: Account
    readonly scopes: readonly Scope[]
  }): Promise<User>
  /** In order of creation; without account, of all. */
  listUsers(account?: Account): Promise<readonly User[]>
  /** At once, sessions included. Throws `not_found`, `invalid_input`. */
  changeScopes(request: UserReference & { readonly scopes: readonly Scope[] }): Promise<void>
  /** With all sessions. Throws `not_found`. */
  removeUser(request: UserReference): Promise<void>
}
