import type { Account, Scope } from '../shared/account.ts'
import type { Invitation, User } from './records.ts'

/** People, their sessions and invitations. */
export interface UserStore {
  /**
   * Undefined when the name is taken (folded). Throws `not_found` when there is no such account, and
   * `invalid_input` for a name that is too long to be indexed.
   */
  saveUser(user: StoredUser): Promise<User | undefined>
  /** By id or by name, folded; one with that id comes first. */
  findUser(idOrName: string): Promise<StoredUser | undefined>
  /** In order of creation; without `account`, of all. */
  listUsers(account: Account | undefined): Promise<readonly User[]>
  /** False when there is no such user. */
  changeScopes(userId: string, scopes: readonly Scope[]): Promise<boolean>
  /**
   * Sets a new password and ends the user's sessions but one, and takes back the links that would
   * set another; false, with nothing changed, when the password is not the old one any more.
   */
  changePassword(change: {
    readonly userId: string
    readonly oldHash: string
    readonly newHash: string
    /** Of the session that goes on. */
    readonly tokenHash: string
  }): Promise<boolean>
  /** Removes a user with all sessions and links; false when there is none. */
  removeUser(userId: string): Promise<boolean>

  /**
   * Begins a session and notes the log-in. False, with nothing changed, when the user is gone or the
   * password is not the one any more that was verified.
   */
  openSession(
    session: SessionRecord,
    password: {
      readonly verifiedHash: string
      /** The same password, hashed anew. */
      readonly newHash?: string | undefined
    },
  ): Promise<boolean>
  /** With its user; also one that has expired. */
  findSession(
    tokenHash: string,
  ): Promise<{ readonly session: SessionRecord; readonly user: User } | undefined>
  /** Notes a use; never sets it back. */
  touchSession(tokenHash: string, lastSeenAt: number): Promise<void>
  removeSession(tokenHash: string): Promise<void>
  /** Removes sessions and invitations that are over; gives how many. */
  sweepUsers(before: {
    /** What expires at this time or before is over. */
    readonly expired: number
    /** Sessions that were last used at this time or before are over. */
    readonly seen: number
  }): Promise<number>

  /**
   * Saves an invitation; one to reset takes the place of the user's former ones. Throws `not_found`
   * when there is no such account or user.
   */
  saveInvitation(invitation: Invitation & { readonly tokenHash: string }): Promise<void>
  /** Also one that has expired. */
  findInvitation(tokenHash: string): Promise<Invitation | undefined>
  /** Those that are open, in order of creation; without `account`, of all. */
  listInvitations(now: number, account: Account | undefined): Promise<readonly Invitation[]>
  /**
   * Uses an invitation up and saves its user, once however many try; false when it is gone or has
   * expired. Throws `conflict` for a name that is taken; then nothing is used up.
   */
  acceptInvitation(tokenHash: string, user: StoredUser): Promise<boolean>
  /**
   * Uses an invitation to reset up, sets the password, and ends all the user's sessions; gives the
   * user, or undefined when it is gone or has expired.
   */
  acceptReset(
    tokenHash: string,
    change: { readonly passwordHash: string; readonly now: number },
  ): Promise<StoredUser | undefined>
  /** False when there is no such invitation, or it is not of the account; undefined: of any. */
  removeInvitation(id: string, account: Account | undefined): Promise<boolean>
}

/** A user, and what the password is checked against. */
export type StoredUser = User & { readonly passwordHash: string }

/** One log-in of one browser. */
export interface SessionRecord {
  /** Lower-case hex SHA-256 of the token that the browser holds. */
  readonly tokenHash: string
  readonly userId: string
  /** Milliseconds since the epoch throughout. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}
