import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../core/index.ts'
import {
  createTrafficReader,
  type Damage,
  type Flow,
  type TrafficFlows,
} from '../../core/scans/index.ts'
import { readFeedFile, unpackFeed } from '../feeds/files.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'
import type { ReadFlows } from './network-print.ts'
import { toReason } from './reasons.ts'

/** A file of traffic, or standard input. */
export interface TrafficSource {
  /** Its path, or `-`. */
  readonly name: string
  /** Its bytes, unpacked where they are gzip. */
  open(): AsyncIterable<Uint8Array>
}

/** What could not be read of a source. */
export interface SourceDamage extends Damage {
  readonly file: string
}

/** The flows of all sources, at most 100 of whose damages each are listed. */
export interface SourceFlows extends ReadFlows {
  /** Sources of no format that is known; empty ones are none. */
  readonly unknown: readonly string[]
}

/**
 * The files that the paths name, the files of a folder one by one, in order of name. Throws a
 * `CommandError` for a path that is not there.
 */
export async function listSources(
  io: Io,
  paths: readonly string[],
): Promise<readonly TrafficSource[]> {
  const sources: TrafficSource[] = []
  for (const path of paths) {
    if (path === '-') sources.push({ name: path, open: () => unpackFeed(io.input()) })
    else for (const file of await listFiles(path)) sources.push(toSource(file))
  }
  if (sources.length > 0) return sources
  throw new CommandError(`Cannot read ${paths.join(', ')}: there are no files`)
}

/** Reads sources one after the other; to be iterated once. */
export function readSources(
  sources: readonly TrafficSource[],
  options: { readonly ownAddresses: readonly string[]; readonly signal?: AbortSignal },
): SourceFlows {
  const { ownAddresses, signal } = options
  const reader = createTrafficReader({ ownAddresses })
  const damaged: SourceDamage[] = []
  const unknown: string[] = []
  let [damagedCount, bytes] = [0, 0]

  async function* readOne({ name, open }: TrafficSource): AsyncIterable<Flow> {
    const failures: Damage[] = []
    async function* chunks() {
      try {
        for await (const chunk of open()) {
          signal?.throwIfAborted()
          bytes += chunk.length
          yield chunk
        }
      } catch (error) {
        // What was whole before has been read.
        if (!(error instanceof ServiceError)) throw error
        failures.push({ at: 0, reason: error.message })
      }
    }
    const flows: TrafficFlows = reader.read(chunks())
    yield* flows
    const { damaged: found, damagedCount: count } = flows.report()
    const isEmpty = flows.format() === undefined && failures.length > 0
    const all = [...failures, ...(isEmpty ? [] : found)]
    for (const each of all) damaged.push({ file: name, ...each })
    damagedCount += failures.length + (isEmpty ? 0 : count)
    if (flows.format() === undefined && (isEmpty || flows.report().bytes > 0)) unknown.push(name)
  }

  return {
    get bytes() {
      return bytes
    },
    damaged,
    get damagedCount() {
      return damagedCount
    },
    unknown,
    async *[Symbol.asyncIterator]() {
      for (const source of sources) yield* readOne(source)
      yield* reader.finish()
    },
  }
}

function toSource(file: string): TrafficSource {
  return { name: file, open: () => readFeedFile(file) }
}

async function listFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(path, name))
      .sort()
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${toReason(error)}`)
  }
}
