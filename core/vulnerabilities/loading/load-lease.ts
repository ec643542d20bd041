import { ServiceError } from '../../errors.ts'
import { createYieldIfDue } from '../../shared/time-slices.ts'
import { toCveNumber } from '../index/columns.ts'
import {
  hasCurrentFormat,
  listSets,
  type Manifest,
  packManifest,
  parseManifest,
} from '../index/manifest.ts'
import type { Load, SourceState, VulnerabilityStore } from '../store.ts'
import { discardUnfinishedPull } from '../transfer/pull.ts'
import type { LoadOptions } from './batches.ts'

/** Dependencies of a load. */
export interface LoadDeps {
  readonly store: VulnerabilityStore
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Memory for the terms of added records, 32 MiB by default; more is spilled to the store. */
  readonly maxBuilderBytes?: number | undefined
}

/**
 * Does the work of a load with the lease, and releases it in any case. First sweeps the data of
 * interrupted loads, so that many of them do not fill the disk.
 */
export async function withLoadLease<T>(
  store: VulnerabilityStore,
  options: Pick<LoadOptions, 'source' | 'takeOver'>,
  work: (load: Load) => Promise<T>,
): Promise<T> {
  const { source, takeOver } = options
  const load = await store.beginLoad({ source, takeOver })
  let result: T
  try {
    await sweepUnreachable(load)
    await discardUnfinishedPull(store, load)
    result = await work(load)
  } catch (error) {
    // Any failure now has the same cause, which the first error explains better.
    await load.end().catch(() => undefined)
    throw error
  }
  await load.end()
  return result
}

/**
 * Reads the current manifest. A manifest of another format counts as missing, so that a load
 * replaces it. `isForeign` is true then, and the existing records are useless.
 */
export async function readCurrentManifest(
  store: VulnerabilityStore,
): Promise<{ readonly manifest: Manifest; readonly isForeign: boolean }> {
  const published = await store.readManifest()
  if (published && !hasCurrentFormat(published.manifest)) {
    return { manifest: parseManifest(undefined), isForeign: true }
  }
  return { manifest: parseManifest(published?.manifest), isForeign: false }
}

/** Returns the state of a source after a successful load. */
export async function toFinishedState(
  deps: LoadDeps,
  options: LoadOptions,
  reached: string | undefined,
): Promise<SourceState> {
  const { source: name, finalCheckpoint } = options
  const final = typeof finalCheckpoint === 'function' ? finalCheckpoint() : finalCheckpoint
  const loadedAt = options.hasRead?.() === false ? undefined : deps.clock()
  const checkpoint = final ?? reached
  if (checkpoint !== undefined) return { name, checkpoint, loadedAt }
  const known = (await deps.store.listSources()).find((source) => source.name === name)
  return { name, checkpoint: known?.checkpoint ?? '', loadedAt }
}

/** Publishes a manifest and sweeps unreachable data. */
export async function publishManifest(
  load: Load,
  published: {
    readonly manifest: Manifest
    readonly dropped: readonly number[]
    readonly takesStaged: boolean
    readonly source: SourceState
    readonly allSources?: readonly SourceState[] | undefined
  },
): Promise<void> {
  const { manifest, ...rest } = published
  await load.publish({ ...rest, manifest: packManifest(manifest), sets: listSets(manifest) })
  await sweepUnreachable(load)
}

/** Lists the integers from `from` on and before `before`. */
export function listNumbers(from: number, before: number): readonly number[] {
  return Array.from({ length: Math.max(0, before - from) }, (_, index) => from + index)
}

/** Throws a `ServiceError` with code `invalid_input` if `id` is not a CVE ID. */
export function requireCveId(id: string, kind: 'record' | 'entry'): void {
  if (!Number.isNaN(toCveNumber(id))) return
  throw new ServiceError('invalid_input', `Cannot load the ${kind} "${id}": it is not a CVE ID`)
}

async function sweepUnreachable(load: Load): Promise<void> {
  const pause = createYieldIfDue()
  for (let sweeps = 0; sweeps < MAX_SWEEPS && (await load.sweep()); sweeps += 1) await pause()
}

/** Limit per load; later loads sweep the rest. */
const MAX_SWEEPS = 10_000
