import type { Load, SourceState, StagedRecord, StoredRecord } from '../store.ts'
import { LOAD_LEASE_MS } from '../store.ts'

/**
 * Writes records in transactions of bounded duration, each with its checkpoint. A transaction runs
 * while records for the next one are added.
 */
export interface Stager {
  /** Row ID of the next added record. */
  readonly nextRowId: number
  add(record: StoredRecord): void
  /** Finds an added record that is not written yet. */
  find(rowId: number): StoredRecord | undefined
  /** Declares that everything up to this checkpoint was added. */
  setCheckpoint(checkpoint: string): void
  /**
   * Starts to write the records if a transaction is full, once the one before has ended; returns
   * undefined if it writes nothing. Rejects if the one before failed.
   */
  flushWhenFull(): Promise<void> | undefined
  /** Writes all records. */
  flush(): Promise<void>
  /** Waits until nothing is being written, whether that succeeds or not. */
  settle(): Promise<void>
  /** Awaits a slow source, and renews the lease until then. */
  awaitSource<T>(work: Promise<T>): Promise<T>
}

/** Writes checkpoints for `source`. */
export function createStager(load: Load, source: string): Stager {
  let records: StagedRecord[] = []
  let written: readonly StagedRecord[] = []
  let writing: Promise<void> = Promise.resolve()
  let { nextRowId } = load
  let characters = 0
  let checkpoint: string | undefined
  let size = FIRST_SIZE

  async function startWriting(): Promise<void> {
    await writing
    if (records.length === 0 && checkpoint === undefined) return
    const state: SourceState | undefined =
      checkpoint === undefined ? undefined : { name: source, checkpoint }
    written = records
    records = []
    characters = 0
    checkpoint = undefined
    writing = write(written, state)
    // Reported when it is awaited.
    writing.catch(() => undefined)
  }

  async function write(
    batch: readonly StagedRecord[],
    state: SourceState | undefined,
  ): Promise<void> {
    const start = performance.now()
    await load.stage({ records: batch, source: state })
    if (batch.length > 0)
      size = adaptBatchSize(size, (performance.now() - start) * (size / batch.length))
  }

  async function flush(): Promise<void> {
    await startWriting()
    await writing
  }

  return {
    get nextRowId() {
      return nextRowId
    },
    add(record) {
      records.push({ ...record, rowId: nextRowId })
      nextRowId += 1
      const { line, products, detail } = record
      characters += line.length + products.length + detail.length
    },
    find(rowId) {
      const at = rowId - (nextRowId - records.length)
      return records[at] ?? written[at + written.length]
    },
    setCheckpoint(reached) {
      checkpoint = reached
    },
    flushWhenFull: () =>
      records.length < size && characters < MAX_CHARACTERS ? undefined : startWriting(),
    flush,
    settle: () => writing.catch(() => undefined),
    async awaitSource(work) {
      let renewal: Promise<void> | undefined
      let failure: unknown
      const timer = setInterval(() => {
        renewal ??= (records.length > 0 ? flush() : load.renew())
          .catch((error: unknown) => {
            failure ??= error
          })
          .finally(() => {
            renewal = undefined
          })
      }, LOAD_LEASE_MS / 4)
      const result = await work.finally(() => {
        clearInterval(timer)
        return renewal
      })
      if (failure !== undefined) throw failure
      return result
    },
  }
}

/** Storages write full hundreds fastest; the size is doubled or halved from here. */
const FIRST_SIZE = 200
const MIN_SIZE = 25
const MAX_SIZE = 400
const MAX_CHARACTERS = 4 << 20
/** Target duration: half of the time that a transaction may take. */
const AIM_MS = 25

function adaptBatchSize(size: number, ms: number): number {
  if (ms > AIM_MS) return Math.max(MIN_SIZE, size / 2)
  return ms < AIM_MS / 3 ? Math.min(MAX_SIZE, size * 2) : size
}
