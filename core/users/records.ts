import type { Account, Caller, Scope } from '../shared/account.ts'

/** A person who logs in, to see and change what is an account's. */
export interface User {
  /** Opaque, stable, never reused. */
  readonly id: string
  /** As it is typed at the log-in: distinct when folded. */
  readonly name: string
  readonly account: Account
  /** What may be done, and what the keys that are made here may permit. */
  readonly scopes: readonly Scope[]
  /** Milliseconds since the epoch throughout; undefined: never. */
  readonly createdAt: number
  readonly lastLoginAt: number | undefined
}

/** Somebody who is logged in. */
export interface LoggedIn {
  readonly user: User
  readonly caller: Caller
  /** When the session ends at the latest. */
  readonly expiresAt: number
}

/** Something that a link lets its holder do once: set a first password, or a new one. */
export interface Invitation {
  readonly id: string
  readonly kind: 'invite' | 'reset'
  /** Of a reset, whose password is set; undefined of an invitation, which makes a user. */
  readonly userName: string | undefined
  readonly account: Account
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * What hashes passwords: slow on purpose, so that guessing is. Both of its works take the same time
 * whatever the password, and reject with `overloaded` when too many wait for theirs.
 */
export interface PasswordHasher {
  /** In PHC string format, salt and cost included. */
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
  /** Whether a hash was made at less than the present cost: it is made anew at the next log-in. */
  isOutdated(hash: string): boolean
  /**
   * The same work ahead of the rest, with a queue of its own: for users whose address has logged in
   * before, whom a flood of other attempts must not crowd out. The hasher itself when absent.
   */
  readonly preferred?: Pick<PasswordHasher, 'hash' | 'verify'>
}
