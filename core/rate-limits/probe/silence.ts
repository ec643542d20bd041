import type { ProbeRecord } from '../records.ts'
import { toServedMs } from './stops.ts'

/** Watches whether a target answers at all, so that what it leaves open does not pile up. */
export interface Silence {
  /** A request is on its way; what this returns is told how it ended. */
  begin(): (record: ProbeRecord) => void
  /** Resolves when another request may be sent: at once (false), or after a wait (true). */
  over(): Promise<boolean>
  /** Lets go of whoever waits. */
  release(): void
}

/**
 * Creates the watch of a ramp of so many requests a second. Counted are those under way that were
 * sent since the last answer. Three may be before the first one, as nothing is known by then; later
 * ten, or twice as many as come during the longest answer so far where that is more.
 */
export function createSilence(rate: number): Silence {
  const open = new Set<number>()
  let sent = 0
  let heard = 0
  let longestMs: number | undefined
  let isReleased = false
  let wake = () => {}

  function isTooMuch(): boolean {
    const most =
      longestMs === undefined ? FIRST : Math.max(LEAST, Math.ceil((2 * rate * longestMs) / 1000))
    return !isReleased && [...open].filter((number) => number >= heard).length >= most
  }

  return {
    begin() {
      const number = sent
      sent += 1
      open.add(number)
      return (record) => {
        open.delete(number)
        if (record.outcome !== 'timed_out') {
          heard = sent
          longestMs = Math.max(longestMs ?? 0, toServedMs(record))
        }
        wake()
      }
    },
    async over() {
      if (!isTooMuch()) return false
      while (isTooMuch()) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return true
    },
    release() {
      isReleased = true
      wake()
    },
  }
}

/** So many may be open before anything was answered. */
const FIRST = 3

/** So many may be open without an answer, however quick the answers were. */
const LEAST = 10
