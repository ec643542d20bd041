import type { ProbeRecord } from '../records.ts'

/** Watches whether a target answers at all, before a ramp goes on to its rate. */
export interface Silence {
  /** A request is on its way; what this returns is told how it ended. */
  begin(): (record: ProbeRecord) => void
  /** Resolves when another request may be sent: at once (false), or after a wait (true). */
  over(): Promise<boolean>
  /** Lets go of whoever waits. */
  release(): void
}

/**
 * Creates the watch of a ramp. Until the first answer three requests may be under way, as nothing is
 * known of the target by then. From then on it holds nothing back, however long the target pauses.
 */
export function createSilence(): Silence {
  let open = 0
  let isOver = false
  let wake = () => {}
  const isTooMuch = () => !isOver && open >= FIRST

  return {
    begin() {
      open += 1
      return ({ outcome }) => {
        open -= 1
        if (outcome !== 'timed_out') isOver = true
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
      isOver = true
      wake()
    },
  }
}

/** So many may be open before anything was answered. */
const FIRST = 3
