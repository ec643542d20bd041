import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CaptureError } from './capture-tool.ts'

/** Lock files, named after the processes that use or used a spool. */
const LOCK = /^scanner-([1-9]\d{0,9})\.pid$/

/** Folders of the spools that this process has locked. */
const lockedFolders = new Set<string>()

/**
 * Locks a spool for this process, and returns a function to unlock it. Removes locks of exited
 * processes. Each process creates its own lock before it looks for others: if two start at once, at
 * most one gets the spool. Throws a `CaptureError` if another scanner has locked it.
 */
export async function lockSpool(folder: string): Promise<() => Promise<void>> {
  const path = resolve(folder)
  if (lockedFolders.has(path))
    throw createSpoolLockedError(folder, 'another scanner of this process uses it')
  lockedFolders.add(path)
  // A lock with this process id is stale: a container reuses the same ids after each start.
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
          `the scanner of process ${pid} uses it. If that process is not a scanner, remove ${name}`,
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
