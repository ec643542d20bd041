import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
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

/** Creates a folder that only this user can read. */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'api-discovery-cve-'))
  let count = 0
  return {
    createPath() {
      count += 1
      return join(folder, `${count}.zip`)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Writes bytes to a new file. Errors of `bytes` propagate. */
export async function writeBytes(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
