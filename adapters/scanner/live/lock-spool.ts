import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CaptureError } from './capture-tool.ts'

/** Matches the name of a lock file, which contains the ID of the process that created it. */
const LOCK = /^scanner-([1-9]\d{0,9})\.pid$/

/** Folders of the spools that this process has locked. */
const lockedFolders = new Set<string>()

/**
 * Locks a spool for one scanner of this process, and returns a function to unlock it. Removes lock
 * files of processes that have exited. Throws a `CaptureError` if another scanner uses the spool.
 *
 * Each process creates its lock file before it looks for other ones. If two processes start at the
 * same time, both may therefore fail, but they never share the spool.
 */
export async function lockSpool(folder: string): Promise<() => Promise<void>> {
  const path = resolve(folder)
  if (lockedFolders.has(path))
    throw createSpoolLockedError(folder, 'another scanner in this process is using it')
  lockedFolders.add(path)
  // An existing lock file with this process ID is stale: in a container, a scanner often gets the
  // same process ID at each start.
  const own = `scanner-${process.pid}.pid`
  let isHeld = true
  const unlock = async () => {
    if (!isHeld) return
    isHeld = false
    await rm(join(path, own), { force: true })
    lockedFolders.delete(path)
  }
  try {
    await writeFile(join(path, own), '')
    for (const name of await readdir(path)) {
      const [, pid] = LOCK.exec(name) ?? []
      if (pid === undefined || name === own) continue
      if (isAlive(Number(pid))) {
        throw createSpoolLockedError(
          folder,
          `process ${pid} is using it. If that process is not a scanner, delete ${join(folder, name)}`,
        )
      }
      await rm(join(path, name), { force: true })
    }
  } catch (error) {
    await unlock()
    throw error
  }
  return unlock
}

function createSpoolLockedError(folder: string, why: string): CaptureError {
  return new CaptureError(`Cannot use the spool ${folder}: ${why}`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
