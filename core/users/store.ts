import type { Account, Scope } from '../shared/account.ts'
import type { Invitation, User } from './records.ts'

/** People, their sessions and invitations. */
export interface UserStore {
  /** Undefined when the name is taken (folded). */
  saveUser(user: User & { readonly passwordHash: string }): Promise<User | undefined>
  /** By id or by name, folded. */
  findUser(idOrName: string): Promise<(User & { readonly passwordHash: string }) | undefined>
  /** In order of creation; without `account`, of all. */
  listUsers(account: Account | undefined): Promise<readonly User[]>
  /** Sets only the given fields; false when there is no such user. */
  changeUser(
    userId: string,
    change: {
      readonly passwordHash?: string
      readonly lastLoginAt?: number
      readonly scopes?: readonly Scope[]
    },
  ): Promise<boolean>
  /** Removes a user with all sessions; false when there is none. */
  removeUser(userId: string): Promise<boolean>

  saveSession(session: SessionRecord): Promise<void>
  /** With its user; also one that has expired. */
  findSession(tokenHash: string): Promise<{ session: SessionRecord; user: User } | undefined>
  touchSession(tokenHash: string, lastSeenAt: number): Promise<void>
  removeSession(tokenHash: string): Promise<void>
  /** All of a user's but one. */
  removeSessions(userId: string, but?: string): Promise<void>
  /** Those that expired before; gives how many. */
  sweepSessions(now: number): Promise<number>

  saveInvitation(invitation: Invitation & { readonly tokenHash: string }): Promise<void>
  findInvitation(tokenHash: string): Promise<Invitation | undefined>
  /** Those that are open, in order of creation. */
  listInvitations(now: number): Promise<readonly Invitation[]>
  /** Uses an invitation up, once however many try; false when it is gone. */
  takeInvitation(tokenHash: string): Promise<boolean>
  removeInvitation(id: string): Promise<boolean>
}

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
