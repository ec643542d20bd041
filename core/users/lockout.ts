import { toAddressBlock } from '../accounts/failures.ts'
import { ServiceError } from '../http/problems.ts'
import type { Clock } from '../ports.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import { createDelays } from './delays.ts'

/** Keeps guesses of passwords few. */
export interface Lockout {
  /** How much is remembered now. */
  readonly sizes: { readonly names: number; readonly addresses: number; readonly known: number }
  /**
   * Counts an attempt as failed until it is told to have succeeded. Throws `too_many_requests` when
   * it comes too early after others.
   */
  enter(origin: LogInOrigin): LogInAttempt
}

/** Who tries, and from where. */
export interface LogInOrigin {
  /** As names are compared; also one that nobody has. */
  readonly name: string
  /** Empty when unknown. */
  readonly address: string
}

export interface LogInAttempt {
  /** Somebody has logged in from the address before, under whatever name. */
  readonly isPreferred: boolean
  /** It was the person: the attempt does not count, and others from there are not held up. */
  succeed(): void
  /** It came to nothing, through no fault of the person. */
  takeBack(): void
  /** Seconds until the next one, after this one has failed. */
  retryAfter(): number
}

/** Failures of a name, wherever they came from, until it has to wait. */
const NAME_FREE = 5
/** Failures of an address, whatever the names: people of one office share one. */
const ADDRESS_FREE = 20
const MAX_NAMES = 50_000
const MAX_ADDRESSES = 10_000
const MAX_KNOWN = 10_000

/**
 * Creates the lock-out, which counts for this process alone and in bounded memory. A name waits
 * whether somebody has it or not. Nobody can keep a person out for good: no delay is longer than 15
 * minutes, and the delay of a name does not hold where its person has logged in from before.
 *
 * Attempts from an address that has had a success are preferred (`PasswordHasher.preferred`), so a
 * flood of attempts from other addresses cannot use up the hashing that users need. The address
 * alone decides: neither the time nor the response of an attempt depends on whether its name exists.
 * Failures from a preferred address are delayed like any, so it cannot crowd out others for long.
 */
export function createLockout(clock: Clock): Lockout {
  const names = createDelays({ free: NAME_FREE, maxKeys: MAX_NAMES }, clock)
  const addresses = createDelays({ free: ADDRESS_FREE, maxKeys: MAX_ADDRESSES }, clock)
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
      if (waitSeconds > 0) throw toDelay(waitSeconds)
      // Taken before anything is awaited, so that attempts at the same time are all counted.
      const taken = [
        ...(block === undefined ? [] : [addresses.take(block)]),
        ...(isKnown ? [] : [names.take(name)]),
      ]
      const takeBack = () => {
        for (const undo of taken.splice(0)) undo()
      }
      return {
        isPreferred: block !== undefined && preferred.get(block) === true,
        retryAfter,
        takeBack,
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

function toDelay(retryAfter: number): ServiceError {
  return new ServiceError(
    'too_many_requests',
    `Cannot log in: too many failed attempts, wait ${retryAfter} s`,
    { retryAfter },
  )
}
