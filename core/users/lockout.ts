import { toAddressBlock } from '../accounts/failure-limiter.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'

/** Limits password guessing. */
export interface Lockout {
  /** Current number of tracked entries. */
  readonly sizes: { readonly names: number; readonly addresses: number; readonly known: number }
  /**
   * Counts an attempt as failed until `succeed` or `takeBack` is called. Throws `too_many_requests`
   * if it comes too soon after failures.
   */
  enter(origin: LogInOrigin): LogInAttempt
}

/** User name and address of an attempt. */
export interface LogInOrigin {
  /** Folded; may be unknown. */
  readonly name: string
  /** Empty if unknown. */
  readonly address: string
}

export interface LogInAttempt {
  /** True if a log-in from the address succeeded before, with any user name. */
  readonly isPreferred: boolean
  /**
   * Marks the attempt as successful: it doesn't count, and the address is no longer delayed for it.
   */
  succeed(): void
  /** Undoes the count of an attempt that was aborted, for example by an error. */
  undo(): void
  /** Seconds until the next attempt, after a failed one. */
  retryAfter(): number
}

/** Delays attempts after failures: longer after each failure, at most 15 minutes. */
interface Delays {
  /** Number of tracked keys. */
  readonly size: number
  /** Seconds until the next attempt is allowed; 0 if it is allowed now. */
  retryAfter(key: string): number
  /** Counts an attempt as failed. If it succeeds, call the returned function to undo that. */
  addFailure(key: string): () => void
}

/** The failures of one key. */
interface Failures {
  readonly count: number
  /** Time of the last failure, in milliseconds since the epoch. */
  readonly at: number
}

/** Failures per name, from all addresses, before it is delayed. */
const FREE_FAILURES_PER_NAME = 5
/**
 * Failures per address, for all names, before it is delayed: users in one office may share an
 * address.
 */
const FREE_FAILURES_PER_ADDRESS = 20
const MAX_NAMES = 50_000
const MAX_ADDRESSES = 10_000
const MAX_KNOWN = 10_000

/**
 * Creates the lockout with the state of this process only, in bounded memory. Known and unknown
 * names are delayed alike. No user can be locked out permanently: a delay is at most 15 minutes,
 * and a name isn't delayed for addresses from which it logged in before.
 *
 * Attempts from an address with an earlier success are preferred (`PasswordHasher.preferred`), so a
 * flood of attempts from other addresses cannot use up the hashing that users need. The address
 * alone decides: neither the time nor the response of an attempt depends on whether its name
 * exists. Failures from a preferred address are delayed like any, so it cannot crowd out others for
 * long.
 */
export function createLockout(clock: Clock): Lockout {
  const names = createDelays({ free: FREE_FAILURES_PER_NAME, maxKeys: MAX_NAMES }, clock)
  const addresses = createDelays({ free: FREE_FAILURES_PER_ADDRESS, maxKeys: MAX_ADDRESSES }, clock)
  const known = createBoundedMap<string, true>(MAX_KNOWN)
  const preferred = createBoundedMap<string, true>(MAX_KNOWN)

  return {
    get sizes() {
      return { names: names.size, addresses: addresses.size, known: known.size }
    },
    enter({ name, address }) {
      const block = address === '' ? undefined : toAddressBlock(address)
      const place = block === undefined ? undefined : `${block} ${name}`
      const isKnown = place !== undefined && known.get(place) === true
      const retryAfter = () =>
        Math.max(
          block === undefined ? 0 : addresses.retryAfter(block),
          isKnown ? 0 : names.retryAfter(name),
        )
      const waitSeconds = retryAfter()
      if (waitSeconds > 0) throw createLockoutError(waitSeconds)
      // Count before the first await, so that concurrent attempts are all counted.
      const taken = [
        ...(block === undefined ? [] : [addresses.addFailure(block)]),
        ...(isKnown ? [] : [names.addFailure(name)]),
      ]
      const takeBack = () => {
        for (const undo of taken.splice(0)) undo()
      }
      return {
        isPreferred: block !== undefined && preferred.get(block) === true,
        retryAfter,
        undo: takeBack,
        succeed() {
          takeBack()
          if (place === undefined || block === undefined) return
          known.set(place, true)
          preferred.set(block, true)
        },
      }
    },
  }
}

function createLockoutError(retryAfter: number): ServiceError {
  return new ServiceError(
    'too_many_requests',
    `Cannot log in: too many failed attempts. Try again in ${retryAfter} s`,
    { retryAfter },
  )
}

const MAX_DELAY_MS = 900_000
/** A key without failures for this long after its delay starts from zero. */
const RESET_AFTER_MS = 3_600_000

/**
 * Creates delays in bounded memory. The first `free` failures have no delay; then it starts at one
 * second and doubles. The least recently active keys are evicted first.
 */
export function createDelays(
  limits: { readonly free: number; readonly maxKeys: number },
  clock: Clock,
): Delays {
  const { free, maxKeys } = limits
  const failures = createBoundedMap<string, Failures>(maxKeys)

  function delayOf(count: number): number {
    return count < free ? 0 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (count - free))
  }

  /** Finds the current failures of a key; none if the clock was set back, so that no key stays locked. */
  function findCurrent(key: string): Failures | undefined {
    const found = failures.get(key)
    const age = found ? clock() - found.at : 0
    if (!found || age < 0 || age >= delayOf(found.count) + RESET_AFTER_MS) return undefined
    return found
  }

  return {
    get size() {
      return failures.size
    },
    retryAfter(key) {
      const found = findCurrent(key)
      if (!found) return 0
      return Math.max(0, Math.ceil((found.at + delayOf(found.count) - clock()) / 1000))
    },
    addFailure(key) {
      const former = findCurrent(key)
      const taken = { count: (former?.count ?? 0) + 1, at: clock() }
      failures.set(key, taken)
      return () => {
        const now = failures.get(key)
        if (now === undefined) return
        if (now === taken) restore(key, former)
        else restore(key, now.count > 1 ? { ...now, count: now.count - 1 } : undefined)
      }
    },
  }

  function restore(key: string, former: Failures | undefined): void {
    if (former) failures.set(key, former)
    else failures.delete(key)
  }
}
