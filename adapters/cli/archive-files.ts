import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../core/index.ts'
import {
  type ArchiveBase,
  type ArchiveSource,
  type Compression,
  createRemoteArchive,
  type RetryDeps,
  readArchiveBase,
} from '../../core/vulnerabilities/index.ts'
import type { HttpGet } from '../egress/index.ts'
import { readFeedFile } from '../feeds/index.ts'
import { CommandError } from './errors.ts'
import { toPrintable } from './io.ts'
import { describeSystemError } from './system-errors.ts'

const URL_START = /^https?:\/\//i

/** Finds the archive at a path or URL. Throws a `CommandError` if it is a missing file. */
export async function findArchive(
  place: string,
  { http, deps }: { readonly http: HttpGet; readonly deps: RetryDeps },
): Promise<ArchiveSource> {
  if (URL_START.test(place)) return createRemoteArchive(place, { get: http.get, deps })
  await requireFile(place)
  return {
    name: place,
    open: async () => ({ bytes: readFeedFile(place), close: () => {} }),
  }
}

/** Reads the records of an earlier export. Throws a `CommandError` if it is no full archive. */
export async function readBaseFile(path: string, compression: Compression): Promise<ArchiveBase> {
  await requireFile(path)
  try {
    return await readArchiveBase(readFeedFile(path), { name: basename(path), compression })
  } catch (error) {
    throw nameArchive(error, path)
  }
}

/**
 * Writes a file as a whole, replacing an existing one: it never contains a part only. Resolves with
 * its size in bytes.
 */
export async function writeArchiveFile(
  path: string,
  options: { readonly bytes: AsyncIterable<Uint8Array>; readonly signal: AbortSignal },
): Promise<number> {
  const partial = `${path}.partial`
  try {
    await pipeline(Readable.from(options.bytes, { objectMode: false }), createWriteStream(partial))
    options.signal.throwIfAborted()
    const { size } = await stat(partial)
    await rename(partial, path)
    return size
  } catch (error) {
    await rm(partial, { force: true })
    options.signal.throwIfAborted()
    if (!(error instanceof Error) || !('code' in error) || error instanceof ServiceError)
      throw error
    throw new CommandError(`Cannot write ${path}: ${describeSystemError(error)}`)
  }
}

/** Names the archive in errors about its content; `outcome` is a sentence. */
export function nameArchive(
  error: unknown,
  name: string,
  outcome = 'The database is unchanged.',
): unknown {
  const codes = ['invalid_body', 'unsupported_media_type', 'invalid_input', 'not_found']
  if (!(error instanceof ServiceError) || !codes.includes(error.code)) return error
  const reason = error.message.replace(/^Cannot load the vulnerabilities: /, '')
  const hint = error.code === 'invalid_input' ? '; use --force to load it anyway' : ''
  return new CommandError(toPrintable(`Cannot load ${name}: ${reason}${hint}. ${outcome}`))
}

async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandError(`Cannot read ${path}: ${describeSystemError(error)}`)
  })
  if (found.isDirectory()) throw new CommandError(`Cannot read ${path}: it is a folder`)
}
