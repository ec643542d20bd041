import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../core/index.ts'
import {
  createTrafficReader,
  type Damage,
  type Flow,
  type TrafficFlows,
} from '../../core/scans/index.ts'
import { decompressFeed, readFeedFile } from '../feeds/index.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'
import type { ReadFlows } from './network-print.ts'
import { describeSystemError } from './system-errors.ts'

/** A file of traffic, or standard input. */
export interface TrafficSource {
  /** Path, or `-` for standard input. */
  readonly name: string
  /** Whether it was found in a folder, which may contain unrelated files. */
  readonly isFound: boolean
  /** Streams its bytes, decompressed if they are gzip. */
  open(): AsyncIterable<Uint8Array>
}

/** An unreadable part of a source. */
export interface SourceDamage extends Damage {
  readonly file: string
}

/** The flows of all sources, with at most 100 damages of each. */
export interface SourceFlows extends ReadFlows {
  /** Files in folders without traffic data. */
  readonly skipped: readonly string[]
  /**
   * Whether a source could not be read: it is missing, not permitted, too large, or not traffic
   * although it was named. True too if no file of any folder is traffic. Damaged sources count as
   * read.
   */
  readonly isIncomplete: boolean
}

/** Sources to read, and paths that could not be listed. */
export interface ListedSources {
  readonly sources: readonly TrafficSource[]
  readonly failures: readonly SourceDamage[]
}

/** Files of a path. */
interface ListedFiles {
  /** The file itself, or all files below a folder, sorted by path. */
  readonly files: readonly string[]
  readonly isFolder: boolean
  /** Paths that could not be listed. */
  readonly failures: readonly { readonly file: string; readonly why: string }[]
}

/**
 * Lists the sources of all paths. A folder contributes every file below it, sorted by path. Throws
 * a `CommandError` if there are no files at all.
 */
export async function listSources(io: Io, paths: readonly string[]): Promise<ListedSources> {
  const sources: TrafficSource[] = []
  const failures: ListedFiles['failures'][number][] = []
  for (const path of paths) {
    if (path === '-') {
      sources.push({ name: path, isFound: false, open: () => decompressFeed(io.streamInput()) })
      continue
    }
    const listed = await listTrafficFiles(path)
    for (const file of listed.files) {
      sources.push({ name: file, isFound: listed.isFolder, open: () => readFeedFile(file) })
    }
    failures.push(...listed.failures)
  }
  if (sources.length > 0) {
    const damages = failures.map(({ file, why }) => ({
      file,
      at: 0,
      reason: `Cannot read the file: ${why}`,
    }))
    return { sources, failures: damages }
  }
  const reasons = failures.map(({ file, why }) => `Cannot read ${file}: ${why}`).join('; ')
  throw new CommandError(reasons || `Cannot read ${paths.join(', ')}: no files found`)
}

/** Reads sources in sequence. The result can be iterated once. */
export function readSources(
  { sources, failures }: ListedSources,
  options: { readonly ownAddresses: readonly string[]; readonly signal?: AbortSignal },
): SourceFlows {
  const { ownAddresses, signal } = options
  const reader = createTrafficReader({ ownAddresses })
  const damaged: SourceDamage[] = [...failures]
  const skipped: string[] = []
  let [damagedCount, bytes, isIncomplete] = [failures.length, 0, failures.length > 0]

  function addDamages(file: string, found: readonly Damage[]): void {
    for (const each of found) damaged.push({ file, ...each })
  }

  async function* readSource({ name, isFound, open }: TrafficSource): AsyncIterable<Flow> {
    let refusal: ServiceError | undefined
    async function* chunks() {
      try {
        for await (const chunk of open()) {
          signal?.throwIfAborted()
          bytes += chunk.length
          yield chunk
        }
      } catch (error) {
        // The flows before the failure are valid.
        if (!(error instanceof ServiceError)) throw error
        refusal = error
      }
    }
    const flows: TrafficFlows = reader.read(chunks())
    yield* flows
    const outcome = flows.outcome()
    const report = flows.report()
    if (refusal) {
      addDamages(name, [{ at: 0, reason: refusal.message }])
      damagedCount += 1
      // A source with a known format that is only truncated counts as read.
      if (refusal.code !== 'invalid_body' || flows.format() === undefined) isIncomplete = true
      if (flows.format() === undefined) return
    } else if (outcome === 'other' && isFound) {
      skipped.push(name)
      return
    }
    addDamages(name, report.damaged)
    damagedCount += report.damagedCount
    if (outcome === 'other' || outcome === 'too_large') isIncomplete = true
  }

  return {
    get bytes() {
      return bytes
    },
    damaged,
    get damagedCount() {
      return damagedCount
    },
    skipped,
    get isIncomplete() {
      return isIncomplete || skipped.length === sources.length
    },
    async *[Symbol.asyncIterator]() {
      for (const source of sources) yield* readSource(source)
      yield* reader.finish()
    },
  }
}

/** Maximum depth below the listed folder. */
const MAX_DEPTH = 32

/**
 * Lists files with any name. In folders, skips hidden entries, links to folders, and pipes and
 * sockets.
 */
async function listTrafficFiles(path: string): Promise<ListedFiles> {
  const files: string[] = []
  const failures: { file: string; why: string }[] = []
  const fail = (file: string, why: string) => failures.push({ file, why })
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return { files: [path], isFolder: false, failures }
  } catch (error) {
    fail(path, describeSystemError(error))
    return { files, isFolder: false, failures }
  }
  const open = [{ folder: path, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next
    try {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const full = join(folder, entry.name)
        if (entry.name.startsWith('.')) continue
        if (entry.isDirectory() && depth < MAX_DEPTH) open.push({ folder: full, depth: depth + 1 })
        else if (entry.isDirectory()) fail(full, `it is more than ${MAX_DEPTH} folders deep`)
        else if (entry.isFile() || (entry.isSymbolicLink() && (await isRegularFile(full))))
          files.push(full)
      }
    } catch (error) {
      fail(folder, describeSystemError(error))
    }
  }
  return { files: files.sort(), isFolder: true, failures }
}

/** Follows links; false for broken ones. */
async function isRegularFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true
}
