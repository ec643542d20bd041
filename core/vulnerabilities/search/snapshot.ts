import { concatBytesCopy } from '../../shared/bytes.ts'
import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import type { Columns, OverlayColumns } from '../index/columns.ts'
import { KEV_SET, type Manifest, parseManifest } from '../index/manifest.ts'
import type { KnownExploited } from '../records.ts'
import type { VulnerabilityStore } from '../store.ts'
import { createColumnReader, createIndexReader, type IndexReader } from './index-reader.ts'
import { readSet } from './part-reader.ts'

/** A generation as a reader sees it, regardless of later loads. */
export interface Snapshot {
  /** 0 if nothing was ever loaded. */
  readonly generation: number
  readonly manifest: Manifest
  /** Undefined when no records are loaded. */
  readonly index: IndexReader | undefined
  /** EPSS and KEV columns, by document of the index. */
  overlay<Name extends keyof OverlayColumns>(name: Name): MaybePromise<Columns[Name]>
  /** Entries of CISA's catalogue by CVE ID; undefined when it is not loaded. */
  readExploited(): MaybePromise<ReadonlyMap<string, KnownExploited> | undefined>
}

/**
 * Creates a function that returns the current generation. It reads again when the store's content
 * has changed, once for all concurrent callers. An index that two generations share is read once.
 */
export function createSnapshots(
  store: Pick<VulnerabilityStore, 'revision' | 'readManifest' | 'readParts'>,
  cacheBytes: number,
): () => MaybePromise<Snapshot> {
  let current: { readonly revision: string; readonly snapshot: Snapshot } | undefined
  let reading: Promise<Snapshot> | undefined

  async function readSnapshot(revision: string): Promise<Snapshot> {
    const published = await store.readManifest()
    const manifest = parseManifest(published?.manifest)
    const generation = published?.generation ?? 0
    const previous = current?.snapshot
    // A restored backup may use the IDs of the replaced data for other sets.
    const isLater = previous !== undefined && previous.generation < generation
    const shared = isLater ? previous : undefined
    const snapshot = createSnapshot({ store, cacheBytes, manifest, generation, shared })
    current = { revision, snapshot }
    return snapshot
  }

  async function refresh(revision: string): Promise<Snapshot> {
    // The pending read may have begun before the change.
    if (reading) await reading
    if (current?.revision === revision) return current.snapshot
    reading ??= readSnapshot(revision).finally(() => {
      reading = undefined
    })
    return reading
  }

  return () =>
    chain(store.revision(), (revision) =>
      current?.revision === revision ? current.snapshot : refresh(revision),
    )
}

function createSnapshot(from: {
  readonly store: Pick<VulnerabilityStore, 'readParts'>
  readonly cacheBytes: number
  readonly manifest: Manifest
  readonly generation: number
  /** The previous snapshot, if its caches are valid for this one. */
  readonly shared: Snapshot | undefined
}): Snapshot {
  const { store, manifest, generation, shared } = from
  const { index, overlay, kev } = manifest
  const sharedIndex = shared?.index?.manifest.id === index?.id ? shared?.index : undefined
  let exploited: MaybePromise<ReadonlyMap<string, KnownExploited>> | undefined
  return {
    generation,
    manifest,
    index: sharedIndex ?? (index && createIndexReader(store, index, from.cacheBytes)),
    overlay:
      shared && shared.manifest.overlay?.id === overlay?.id
        ? shared.overlay
        : createColumnReader(store, overlay?.id ?? 0, overlay ? (index?.documents ?? 0) : 0),
    readExploited() {
      if (!kev) return undefined
      exploited ??= chain(readSet(store, { id: kev.id, name: KEV_SET }, kev.parts), (parts) => {
        exploited = parseExploited(parts)
        return exploited
      })
      if (exploited instanceof Promise) exploited.catch(() => (exploited = undefined))
      return exploited
    },
  }
}

function parseExploited(parts: readonly Uint8Array[]): ReadonlyMap<string, KnownExploited> {
  // The cast is safe: only `writeKev` writes it.
  const entries = JSON.parse(new TextDecoder().decode(concatBytesCopy(parts))) as KnownExploited[]
  return new Map(entries.map((entry) => [entry.id, entry]))
}
