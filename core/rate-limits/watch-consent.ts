import { ServiceError } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account } from '../shared/account.ts'
import type { Timers } from '../shared/timers.ts'
import type { Consent, ConsentRefusal, ConsentState } from './consent.ts'

/** The consent of a host during a run. */
export interface ConsentWatch {
  /** False once the run must stop sending. */
  isGiven(): boolean
  /**
   * The address that last returned the token, to connect to no other; undefined for an allowed
   * host.
   */
  address(): string | undefined
  /** Stops checking. */
  end(): void
}

/**
 * Together with the response timeout of five seconds, a withdrawal is noticed within 30 seconds.
 */
const EVERY_MS = 24_000

/**
 * Checks the consent of a host before a run and every 24 seconds during it. Any response other than
 * the token withdraws it. A busy (429, 503) or unreachable host, which a test can cause, withdraws
 * it at the second time in a row. Before the run, both count as no consent. Rejects if this service
 * cannot check before the run.
 */
export async function watchConsent(
  deps: { readonly consent: Consent; readonly timers: Timers; readonly logger: Logger },
  run: {
    readonly account: Account
    readonly origin: string
    /** ID of the run's job. */
    readonly job: number
    /** Called at most once. */
    readonly onWithdrawn: () => void
  },
): Promise<ConsentWatch> {
  const { consent, timers, logger } = deps
  const { account, origin, job, onWithdrawn } = run
  const over = new AbortController()
  let state = await checkOnce()
  let isGiven = isConsent(state)
  let unclear = 0
  if (isGiven) void recheckRegularly()

  async function checkOnce(): Promise<ConsentState> {
    try {
      return await consent.check(account, origin)
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === 'address_refused'
      if (!isRefused) throw error
      return { by: undefined, reason: 'refused' }
    }
  }

  /** Treats a storage error like an unreachable host: one failure in a row does not end the run. */
  function recheck(): Promise<ConsentState> {
    return checkOnce().catch(() => ({ by: undefined, reason: 'unreachable' }))
  }

  async function recheckRegularly(): Promise<void> {
    while (!over.signal.aborted && isGiven) {
      await timers.sleep(EVERY_MS, over.signal)
      if (over.signal.aborted) return
      const next = await recheck()
      if (over.signal.aborted) return
      if (isConsent(next)) {
        state = next
        unclear = 0
      } else {
        unclear += 1
        isGiven = TRANSIENT_REASONS.has(next.reason) && unclear < 2
        logger.log('warn', 'rate_limit_test_consent', { job, reason: next.reason, isGiven })
        if (!isGiven) onWithdrawn()
      }
    }
  }

  return {
    isGiven: () => isGiven,
    address: () => (state.by === 'token' ? state.address : undefined),
    end: () => over.abort(),
  }
}

const TRANSIENT_REASONS: ReadonlySet<ConsentRefusal> = new Set(['busy', 'unreachable'])

function isConsent(
  state: ConsentState,
): state is Exclude<ConsentState, { readonly by: undefined }> {
  return state.by !== undefined
}
