import type { Timers } from '../shared/timers.ts'

/** A pause that others may end. */
export interface Alarm {
  /** Ends the present pause, else the next one before it begins. */
  ring(): void
  wait(ms: number): Promise<void>
}

/** Creates an alarm for one who waits. */
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
