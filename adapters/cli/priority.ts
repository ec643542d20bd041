import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of this process, so that a long load does not slow down a server on the same
 * machine. Returns false if the system does not permit it.
 */
export function lowerPriority(): boolean {
  try {
    for (const thread of listThreads()) {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    }
    return true
  } catch {
    return false
  }
}

const THREADS_FOLDER = '/proc/self/task'

/** Lists thread IDs: on Linux each thread has its own priority. 0 is the process itself. */
function listThreads(): readonly number[] {
  return existsSync(THREADS_FOLDER) ? readdirSync(THREADS_FOLDER).map(Number) : [0]
}
