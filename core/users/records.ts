import type { Account, Caller, Scope } from '../shared/account.ts'

/** A user, who logs in to work with the data of an account. */
export interface User {
  /** Opaque, stable, never reused. */
  readonly id: string
  /** Log-in name, unique when case-folded. */
  readonly name: string
  readonly account: Account
  /** Permissions of the user; API keys created by the user have at most these. */
  readonly scopes: readonly Scope[]
  /** All times in milliseconds since the epoch; undefined: never. */
  readonly createdAt: number
  readonly lastLoginAt: number | undefined
}

/** A logged-in user. */
export interface LoggedIn {
  readonly user: User
  readonly caller: Caller
  /** Latest end of the session. */
  readonly expiresAt: number
}

/** A single-use link, with which its holder creates a user or sets a new password. */
export interface Invitation {
  readonly id: string
  readonly kind: 'invite' | 'reset'
  /** The user of a reset; undefined for an invitation, which creates a user. */
  readonly userName: string | undefined
  readonly account: Account
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number
}
