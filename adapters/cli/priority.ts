import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets other processes, as a server on the same machine, have the processor first: for a long load,
 * which can wait. False when the system does not permit it.
 */
export function giveWay(): boolean {
  try {
    for (const thread of listThreads()) {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    }
    return true
  } catch {
    return false
  }
}

const THREADS = '/proc/self/task'

/** On Linux each thread has a priority of its own; 0 is the process. */
function listThreads(): readonly number[] {
  return existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0]
}
