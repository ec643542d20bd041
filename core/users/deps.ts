import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { PasswordHasher } from '../ports/passwords.ts'
import type { Random } from '../ports/random.ts'
import type { User } from './records.ts'
import type { UserStore } from './store.ts'

/** Dependencies of the users service. */
export interface UserDeps {
  readonly store: UserStore
  readonly passwords: PasswordHasher
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Creates an API key if the user's account has none. Never rejects. */
  readonly makeFirstKey: (user: User) => Promise<void>
}
