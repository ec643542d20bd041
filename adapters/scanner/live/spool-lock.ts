import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CaptureError } from './capture-tool.ts'

/** Names of the files that say which processes use a spool, or used it. */
const LOCK = /^scanner-([1-9]\d{0,9})\.pid$/

/** Spools that this process has, by their folders. */
const taken = new Set<string>()

/**
 * Takes a spool for this process until the function that it gives is called. Locks of processes that
 * are gone are removed. Each process has a lock of its own, made before it looks for others: of two
 * that begin at once not both get the spool. Throws a `CaptureError` when another scanner has it.
 */
export async function lockSpool(folder: string): Promise<() => Promise<void>> {
  const path = resolve(folder)
  if (taken.has(path)) throw toHeld(folder, 'a scanner of this process does')
  taken.add(path)
  // One of the own number is a former process's: a container starts with the same each time.
  const own = `scanner-${process.pid}.pid`
  let isHeld = true
  const unlock = async () => {
    if (!isHeld) return
    isHeld = false
    await rm(join(path, own), { force: true })
    taken.delete(path)
  }
  try {
    await writeFile(join(path, own), '')
    for (const name of await readdir(path)) {
      const [, pid] = LOCK.exec(name) ?? []
      if (pid === undefined || name === own) continue
      if (isAlive(Number(pid))) {
        throw toHeld(folder, `the scanner of process ${pid} does; if that is none, remove ${name}`)
      }
      await rm(join(path, name), { force: true })
    }
  } catch (error) {
    await unlock()
    throw error
  }
  return unlock
}

function toHeld(folder: string, why: string): CaptureError {
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
