import { ServiceError } from '../../core/errors.ts'
import {
  LOAD_LEASE_MS,
  type Load,
  type PartSet,
  type SourceState,
  type StagedRecord,
  type StoredRecord,
  type VulnerabilityStore,
} from '../../core/vulnerabilities/store.ts'

/** A store of vulnerabilities whose content is accessible to tests. */
export interface MemoryVulnerabilities extends VulnerabilityStore {
  /**
   * Called with the name of every call of a load, before it. An error that it throws fails the
   * call.
   */
  beforeCall: (name: string) => void
  readonly records: ReadonlyMap<number, StoredRecord>
  /** Keyed by `<id>/<name>/<number>`. */
  readonly parts: ReadonlyMap<string, Uint8Array>
}

/** A `VulnerabilityStore` in memory. Every call is atomic. */
export function createMemoryVulnerabilities(clock: () => number = () => 0): MemoryVulnerabilities {
  const records = new Map<number, StoredRecord>()
  const parts = new Map<string, Uint8Array>()
  const sources = new Map<string, SourceState>()
  const ended: {
    readonly at: number
    readonly sets: ReadonlySet<string>
    readonly dropped: readonly number[]
  }[] = []
  let current: { manifest: string; publishedAt: number; sets: ReadonlySet<string> } | undefined
  let generation = 0
  let next = 1
  let firstRowId = 1
  let nextRowId = 1
  let holder: { readonly token: object; readonly source: string; since: number } | undefined
  let beatAt = 0

  const store: MemoryVulnerabilities = {
    beforeCall: () => {},
    records,
    parts,
    generation: () => generation,
    revision: () => `memory-${generation}`,
    async readManifest() {
      if (!current) return undefined
      return { generation, publishedAt: current.publishedAt, manifest: current.manifest }
    },
    readParts: (set, numbers) =>
      numbers.map((number) => parts.get(`${toKey(set)}/${number}`)?.slice()),
    readRecords: (rowIds, what) =>
      rowIds.map((rowId) => {
        const found = records.get(rowId)
        if (!found) return undefined
        const { line, products, detail } = found
        if (what === 'all') return { line, products, detail }
        return { line, products: what === 'products' ? products : '', detail: '' }
      }),
    listSources: async () =>
      [...sources.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),

    async beginLoad({ source, takeOver = false }) {
      if (holder && !takeOver && clock() - beatAt < LOAD_LEASE_MS) {
        throw new ServiceError('conflict', `Cannot load ${source}: ${formatHolder()}`)
      }
      const token = {}
      beatAt = clock()
      holder = { token, source, since: beatAt }
      const written = [...parts.keys()].map((key) => Number.parseInt(key, 10))
      next = Math.max(generation, ...written) + 1
      return toLoad(token, source)
    },
  }
  return store

  function saveSource({ name, checkpoint, loadedAt }: SourceState): void {
    sources.set(name, { name, checkpoint, loadedAt: loadedAt ?? sources.get(name)?.loadedAt })
  }

  function formatHolder(): string {
    if (!holder) return 'the load has ended'
    return `${holder.source} is loading since ${new Date(holder.since).toISOString()}`
  }

  function toLoad(token: object, source: string): Load {
    const check = (name: string) => {
      store.beforeCall(name)
      if (holder?.token !== token) {
        throw new ServiceError('conflict', `Cannot continue loading ${source}: ${formatHolder()}`)
      }
      beatAt = clock()
    }
    return {
      get nextId() {
        return next
      },
      get firstRowId() {
        return firstRowId
      },
      get nextRowId() {
        return nextRowId
      },
      async listStaged(from, size) {
        check('listStaged')
        const staged: StagedRecord[] = []
        for (let rowId = Math.max(from, firstRowId); rowId < nextRowId; rowId += 1) {
          const record = records.get(rowId)
          if (record && staged.length < size) staged.push({ ...record, rowId })
        }
        return staged
      },
      async stage(batch) {
        check('stage')
        for (const [index, { rowId }] of batch.records.entries()) {
          if (rowId !== nextRowId + index) throw new Error(`Row id ${rowId} is not the next`)
        }
        for (const { rowId, line, products, detail } of batch.records) {
          records.set(rowId, { line, products, detail })
          nextRowId += 1
        }
        if (batch.source) saveSource(batch.source)
      },
      async writeParts(set, added) {
        check('writeParts')
        if (current?.sets.has(toKey(set))) throw new Error(`${toKey(set)} is published`)
        for (const { number, bytes } of added) parts.set(`${toKey(set)}/${number}`, bytes.slice())
      },
      async discardStaged(from, before) {
        check('discardStaged')
        for (let rowId = Math.max(from, firstRowId); rowId < before; rowId += 1) {
          records.delete(rowId)
        }
      },
      async publish({ manifest, sets, dropped, takesStaged, allSources, ...published }) {
        check('publish')
        if (current) ended.push({ at: clock(), sets: current.sets, dropped })
        current = { manifest, publishedAt: clock(), sets: new Set(sets.map(toKey)) }
        if (takesStaged) firstRowId = nextRowId
        generation = next
        next += 1
        if (allSources) sources.clear()
        for (const state of [...(allSources ?? []), published.source]) saveSource(state)
      },
      async sweep() {
        check('sweep')
        for (const { dropped } of ended.filter(({ at }) => at <= clock() - KEPT_MS)) {
          for (const rowId of dropped) records.delete(rowId)
        }
        const kept = ended.filter(({ at }) => at > clock() - KEPT_MS)
        ended.splice(0, ended.length, ...kept)
        const named = new Set([current, ...kept].flatMap((each) => [...(each?.sets ?? [])]))
        const unnamed = [...parts.keys()].filter((key) => {
          const set = key.slice(0, key.lastIndexOf('/'))
          return !named.has(set) && !set.startsWith(`${next}/`)
        })
        for (const key of unnamed.slice(0, PARTS_PER_SWEEP)) parts.delete(key)
        return unnamed.length > PARTS_PER_SWEEP
      },
      async renew() {
        check('beat')
      },
      async end() {
        check('end')
        holder = undefined
      },
    }
  }
}

const KEPT_MS = 600_000
const PARTS_PER_SWEEP = 20

function toKey(set: PartSet): string {
  return `${set.id}/${set.name}`
}
