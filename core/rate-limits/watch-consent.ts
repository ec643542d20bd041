import { ServiceError } from '../http/problems.ts'
import type { Logger } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import type { Timers } from '../shared/timers.ts'
import type { Consent, ConsentAnswer, ConsentState } from './consent.ts'

/** The consent of a host while a run goes on. */
export interface ConsentWatch {
  /** False once the run must send no more. */
  isGiven(): boolean
  /** Where the token was last, for nothing to be sent elsewhere; undefined for the operator's hosts. */
  address(): string | undefined
  /** Asks no more. */
  end(): void
}

/** With the five seconds that an answer may take, a withdrawal is known within 30. */
const EVERY_MS = 24_000

/**
 * Asks for the consent, and again every 24 seconds. It is withdrawn by any answer but the token. A host
 * that does not answer, or not now (429, 503), as one that is tested may do, has withdrawn it when it
 * does so a second time in a row; before the run it has not given it. Rejects when this service itself
 * cannot ask before the run.
 */
export async function watchConsent(
  deps: { readonly consent: Consent; readonly timers: Timers; readonly logger: Logger },
  way: {
    readonly account: Account
    readonly origin: string
    /** Id of the run's job. */
    readonly job: number
    /** Is told once. */
    readonly onWithdrawn: () => void
  },
): Promise<ConsentWatch> {
  const { consent, timers, logger } = deps
  const { account, origin, job, onWithdrawn } = way
  const over = new AbortController()
  let state = await askOnce()
  let isGiven = isConsent(state)
  let unclear = 0
  if (isGiven) void watch()

  async function askOnce(): Promise<ConsentState> {
    try {
      return await consent.ask(account, origin)
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === 'address_refused'
      if (!isRefused) throw error
      return { by: undefined, reason: 'refused' }
    }
  }

  /** A run goes on without the storage's answer once, as without the host's. */
  function askAgain(): Promise<ConsentState> {
    return askOnce().catch(() => ({ by: undefined, reason: 'unreachable' }))
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted && isGiven) {
      await timers.sleep(EVERY_MS, over.signal)
      if (over.signal.aborted) return
      const next = await askAgain()
      if (over.signal.aborted) return
      if (isConsent(next)) {
        state = next
        unclear = 0
      } else {
        unclear += 1
        isGiven = UNCLEAR.has(next.reason) && unclear < 2
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

const UNCLEAR: ReadonlySet<ConsentAnswer> = new Set(['busy', 'unreachable'])

function isConsent(
  state: ConsentState,
): state is Exclude<ConsentState, { readonly by: undefined }> {
  return state.by !== undefined
}
