import type { Account, Scope } from '../shared/account.ts'
import type { Invitation, User } from './records.ts'

/** Storage of users, their sessions and invitations. */
export interface UserStore {
  /**
   * Returns undefined if the name is taken (case-folded). Throws `not_found` for an unknown
   * account, and `invalid_input` for a name that is too long to be indexed.
   */
  saveUser(user: StoredUser): Promise<User | undefined>
  /** Finds a user by ID or by folded name; an ID takes precedence. */
  findUser(idOrName: string): Promise<StoredUser | undefined>
  /** Ordered by creation time; without `account`, all users. */
  listUsers(account: Account | undefined): Promise<readonly User[]>
  /** Returns false if the user doesn't exist. */
  changeScopes(userId: string, scopes: readonly Scope[]): Promise<boolean>
  /**
   * Sets a new password, ends the user's other sessions and revokes open reset links. Returns
   * false, without any change, if `oldHash` is outdated.
   */
  changePassword(change: {
    readonly userId: string
    readonly oldHash: string
    readonly newHash: string
    /** The session that continues. */
    readonly tokenHash: string
  }): Promise<boolean>
  /** Removes a user with all sessions and links. Returns false if the user doesn't exist. */
  removeUser(userId: string): Promise<boolean>

  /**
   * Starts a session and stores the time of the log-in. Returns false, without any change, if the
   * user was removed or the password has changed since it was verified.
   */
  openSession(
    session: SessionRecord,
    password: {
      readonly verifiedHash: string
      /** A new hash of the same password. */
      readonly newHash?: string | undefined
    },
  ): Promise<boolean>
  /** Returns the session with its user, even if it has expired. */
  findSession(
    tokenHash: string,
  ): Promise<{ readonly session: SessionRecord; readonly user: User } | undefined>
  /** Stores the time of the last use, unless a later one is stored. */
  touchSession(tokenHash: string, lastSeenAt: number): Promise<void>
  removeSession(tokenHash: string): Promise<void>
  /** Removes ended sessions and expired invitations. Returns how many. */
  sweepUsers(before: {
    /** Removes entries that expire at or before this time. */
    readonly expired: number
    /** Removes sessions last used at or before this time. */
    readonly seen: number
  }): Promise<number>

  /**
   * Saves an invitation; a reset link replaces the user's earlier ones. Throws `not_found` for an
   * unknown account or user.
   */
  saveInvitation(invitation: Invitation & { readonly tokenHash: string }): Promise<void>
  /** Returns the invitation even if it has expired. */
  findInvitation(tokenHash: string): Promise<Invitation | undefined>
  /** Open invitations by creation time; without `account`, all. */
  listInvitations(now: number, account: Account | undefined): Promise<readonly Invitation[]>
  /**
   * Redeems an invitation and saves its user; only one concurrent attempt succeeds. Returns false
   * if the invitation was removed or has expired. Throws `conflict` for a name that is taken; the
   * invitation then stays valid.
   */
  acceptInvitation(tokenHash: string, user: StoredUser): Promise<boolean>
  /**
   * Redeems a reset link, sets the password and ends all sessions of the user. Returns the user, or
   * undefined if the link was removed or has expired.
   */
  acceptReset(
    tokenHash: string,
    change: { readonly passwordHash: string; readonly now: number },
  ): Promise<StoredUser | undefined>
  /**
   * Returns false if the invitation doesn't exist or belongs to another account; undefined: any
   * account.
   */
  removeInvitation(id: string, account: Account | undefined): Promise<boolean>
}

/** A user with the hash of the password. */
export type StoredUser = User & { readonly passwordHash: string }

/** One log-in of one browser. */
export interface SessionRecord {
  /** Lower-case hex SHA-256 of the browser's token. */
  readonly tokenHash: string
  readonly userId: string
  /** All times in milliseconds since the epoch. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}
