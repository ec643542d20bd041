import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** A folder for temporary files. */
export interface TemporaryFolder {
  /** Returns the path of a new file. */
  createPath(): string
  /** Removes the folder with its content. */
  remove(): Promise<void>
}

const PREFIX = 'api-discovery-cve-'
/** Longer than any load takes. */
const ABANDONED_MS = 2 * 86_400_000

/**
 * Creates a folder that only this user can read. First removes those that killed processes left two
 * days ago or earlier: archives of all records fill a disk.
 */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  await removeAbandoned().catch(() => undefined)
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
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
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Writes bytes to a new file. Errors of `bytes` propagate. */
export async function writeBytes(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
