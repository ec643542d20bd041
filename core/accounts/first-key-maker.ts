import { getErrorCode } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account, Scope } from '../shared/account.ts'
import type { Accounts } from './service.ts'

/**
 * Creates a function that adds an API key named "default" to an account without an active key, so
 * that new users have one. It never rejects: a key can be created later.
 */
export function createFirstKeyMaker(deps: {
  readonly accounts: Pick<Accounts, 'listKeys' | 'createKey'>
  readonly clock: Clock
  readonly logger: Logger
}) {
  const { accounts, clock, logger } = deps
  return async (owner: {
    readonly account: Account
    readonly scopes: readonly Scope[]
  }): Promise<void> => {
    const { account, scopes } = owner
    try {
      const now = clock()
      const isOver = (expiresAt = Number.POSITIVE_INFINITY) => expiresAt <= now
      const keys = await accounts.listKeys(account)
      const hasKey = keys.some((key) => key.revokedAt === undefined && !isOver(key.expiresAt))
      if (!hasKey) await accounts.createKey({ account, name: 'default', scopes })
    } catch (error) {
      const reason = getErrorCode(error)
      logger.log('warn', 'first_key_not_made', { account: account.name, reason })
    }
  }
}
