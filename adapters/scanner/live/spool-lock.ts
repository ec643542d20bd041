import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CaptureError } from './capture-tool.ts'

/** The file that says which process uses a spool. */
export const LOCK = 'scanner.pid'

/**
 * Takes a spool for this process until the function that it gives is called. A lock whose process is
 * gone is taken over. Throws a `CaptureError` when another scanner has it.
 */
export async function lockSpool(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, LOCK)
  const holder = await readHolder(file)
  if (holder !== undefined && isAlive(holder))
    throw toHeld(
      folder,
      `the scanner of process ${holder} does; if that is none, remove its ${LOCK}`,
    )
  await rm(file, { force: true })
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    // Of two that come at once, one makes it.
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? toHeld(folder, 'another scanner has just begun to')
      : error
  }
  return () => rm(file, { force: true })
}

function toHeld(folder: string, why: string): CaptureError {
  return new CaptureError(`Cannot use the spool ${folder}: ${why}`)
}

async function readHolder(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}

/** A process of one's own number is a former one's: a container starts with the same each time. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
