import type { Timers } from '../shared/timers.ts'

/** A wait that another caller can interrupt. */
export interface Alarm {
  /** Ends the current wait, or the next one if none is in progress. */
  ring(): void
  wait(ms: number): Promise<void>
}

/** Creates an alarm for a single waiter. */
export function createAlarm(timers: Timers): Alarm {
  let isRung = false
  let pause: AbortController | undefined
  return {
    ring() {
      isRung = true
      pause?.abort()
    },
    async wait(ms) {
      if (!isRung) {
        pause = new AbortController()
        await timers.sleep(ms, pause.signal)
        pause = undefined
      }
      isRung = false
    },
  }
}
