import type { Clock, Logger, Random } from '../ports.ts'
import type { PasswordHasher, User } from './records.ts'
import type { UserStore } from './store.ts'

/** What users are made of. */
export interface UserDeps {
  readonly store: UserStore
  readonly passwords: PasswordHasher
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Makes an API key for the user's account when it has none. Never rejects. */
  readonly makeFirstKey: (user: User) => Promise<void>
}
