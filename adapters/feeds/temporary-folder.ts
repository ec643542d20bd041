import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'

/** A folder for temporary files. */
export interface TemporaryFolder {
  /** Returns the path of a new file. */
  createPath(): string
  /** Removes the folder with its content. */
  remove(): Promise<void>
}

const PREFIX = 'api-discovery-cve-'
/** Processes of containers that share the folder have other hosts. The process ID follows. */
const HOST_PREFIX = `${PREFIX}${hostname()}-`
/** Longer than any load takes. */
const ABANDONED_MS = 2 * 86_400_000

/**
 * Creates a folder that only this user can read. First removes those that killed processes left:
 * archives of all records fill a disk. If it is unknown whether a process was killed, its folder is
 * removed after two days.
 */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  await removeAbandoned().catch(() => undefined)
  const folder = await mkdtemp(join(tmpdir(), `${HOST_PREFIX}${process.pid}-`))
  let count = 0
  return {
    createPath() {
      count += 1
      return join(folder, `${count}.zip`)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    // Those of other users cannot be removed.
    if (name.startsWith(PREFIX)) await removeIfAbandoned(name).catch(() => undefined)
  }
}

async function removeIfAbandoned(name: string): Promise<void> {
  const path = join(tmpdir(), name)
  const isAbandoned = hasEnded(name) || Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS
  if (isAbandoned) await rm(path, { recursive: true, force: true })
}

/** True if the process that created the folder is known to be gone. */
function hasEnded(name: string): boolean {
  const [, id] = name.startsWith(HOST_PREFIX)
    ? (/^(\d+)-/.exec(name.slice(HOST_PREFIX.length)) ?? [])
    : []
  if (id === undefined) return false
  try {
    // Sends no signal.
    process.kill(Number(id), 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Writes bytes to a new file. Errors of `bytes` propagate. */
export async function writeBytes(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
