import type { ProbeRecord } from '../records.ts'

/** Delays a ramp until the target has responded for the first time. */
export interface FirstResponseGate {
  /** Records that a request is in flight. Call the returned function with its record. */
  begin(): (record: ProbeRecord) => void
  /** Resolves when the next request may be sent: with false at once, or with true after a wait. */
  whenOpen(): Promise<boolean>
  /** Releases waiting callers. */
  release(): void
}

/**
 * Creates the gate of a ramp. Before the first response, at most three requests may be in flight,
 * because nothing is known about the target. After it, the gate stays open, even if the target
 * pauses.
 */
export function createFirstResponseGate(): FirstResponseGate {
  let open = 0
  let isOver = false
  let wake = () => {}
  const isTooMuch = () => !isOver && open >= MAX_IN_FLIGHT

  return {
    begin() {
      open += 1
      return ({ outcome }) => {
        open -= 1
        if (outcome !== 'timed_out') isOver = true
        wake()
      }
    },
    async whenOpen() {
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

/** Maximum number of requests in flight before the first response. */
const MAX_IN_FLIGHT = 3
