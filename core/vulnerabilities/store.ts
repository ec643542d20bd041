import type { MaybePromise } from '../shared/maybe-promise.ts'

/**
 * Repository of the vulnerabilities. The core builds the search index itself, so that every storage
 * returns the same results. A storage only stores records and parts of the index.
 *
 * Readers see one generation: a manifest that names part sets. A loader stages records and sets
 * separately, in short transactions; one `publish` then makes a new generation current.
 */
export interface VulnerabilityStore {
  /** Increases with every published generation; 0 before the first. */
  generation(): MaybePromise<number>

  /**
   * Identifies the current content by at most 40 letters, digits and hyphens, like the catalogue's.
   */
  revision(): MaybePromise<string>

  /** The manifest of the current generation, as published; undefined before the first. */
  readManifest(): Promise<PublishedManifest | undefined>

  /**
   * Reads parts of a set, in the order of `numbers`; undefined for a missing part. Each part starts
   * at the beginning of a buffer of its own. On the hot path of searches.
   */
  readParts(
    set: PartSet,
    numbers: readonly number[],
  ): MaybePromise<readonly (Uint8Array | undefined)[]>

  /**
   * Reads records by row ID, in the order of `rowIds`; undefined for a deleted record. `line`
   * selects only the column `line`; `products` adds the products, and `all` adds the detail as well.
   */
  readRecords(
    rowIds: readonly number[],
    columns: 'line' | 'products' | 'all',
  ): MaybePromise<readonly (StoredRecord | undefined)[]>

  /** Lists the states of all sources, by name. */
  listSources(): Promise<readonly SourceState[]>

  /**
   * Acquires the lease for loading, which one loader at a time has, and reports the state of an
   * interrupted load. Throws a `ServiceError` with code `conflict` if another loader renewed its
   * lease less than `LOAD_LEASE_MS` ago, unless `takeOver` is set.
   */
  beginLoad(options: {
    readonly source: string
    readonly takeOver?: boolean | undefined
  }): Promise<Load>
}

/** Milliseconds without renewal after which a loader counts as dead. */
export const LOAD_LEASE_MS = 10_000

/**
 * The lease for loading. Every method is one transaction (`writeParts` may use several). Each
 * throws a `ServiceError` with code `conflict` if another loader has taken over. The numbers
 * advance with the load.
 */
export interface Load {
  /**
   * ID of every set and generation that this load writes. It is greater than all earlier ones and
   * increases with each `publish`.
   */
  readonly nextId: number
  /** First row ID of staged records; lower ones are published or garbage. */
  readonly firstRowId: number
  /** Row ID of the next staged record. */
  readonly nextRowId: number

  /** Lists staged records that an interrupted load left, from row ID `from` on, at most `size`. */
  listStaged(from: number, size: number): Promise<readonly StagedRecord[]>

  /**
   * Stages records together with the checkpoint of their source, atomically. Other calls, except
   * `stage` and `publish`, may be made before it ends.
   */
  stage(batch: {
    readonly records: readonly StagedRecord[]
    readonly source?: SourceState | undefined
  }): Promise<void>

  /** Removes staged records from row ID `from` on, and before row ID `before`. */
  discardStaged(from: number, before: number): Promise<void>

  /** Writes parts of an unpublished set; existing parts are replaced. */
  writeParts(set: PartSet, parts: readonly Part[]): Promise<void>

  /**
   * Publishes the manifest as the current generation and stores the source's state, in one
   * transaction. With `takesStaged`, also moves `firstRowId` past all staged records.
   */
  publish(published: {
    readonly manifest: string
    /** Every set that the manifest names; others are swept once no reader can need them. */
    readonly sets: readonly PartSet[]
    /** Records that the new generation removes; swept together with the previous generation. */
    readonly dropped: readonly number[]
    readonly takesStaged: boolean
    readonly source: SourceState
    /** Replaces the states of all sources, before `source` is stored. */
    readonly allSources?: readonly SourceState[] | undefined
  }): Promise<void>

  /**
   * Removes some unreachable data: sets and records of generations that ended ten minutes ago, and
   * sets that were never published. Returns true if more may be left.
   */
  sweep(): Promise<boolean>

  /** Renews the lease without other work. */
  renew(): Promise<void>

  /** Releases the lease; staged records remain for the next load. */
  end(): Promise<void>
}

/** A set of numbered parts, such as one version of the index. */
export interface PartSet {
  readonly id: number
  /** Such as `columns` or `words`; at most 20 characters. */
  readonly name: string
}

export interface Part {
  readonly number: number
  readonly bytes: Uint8Array
}

export interface PublishedManifest {
  readonly generation: number
  readonly publishedAt: number
  /** JSON in the core's own format. */
  readonly manifest: string
}

/** A record in its stored form. */
export interface StoredRecord {
  /** JSON of the record's fields of Specification 2.5, with its first affected product. */
  readonly line: string
  /** Packed JSON of its affected products; empty unless requested. */
  readonly products: string
  /** All other data, packed; empty unless requested. */
  readonly detail: string
}

export interface StagedRecord extends StoredRecord {
  readonly rowId: number
}

/** State of a data source. */
export interface SourceState {
  /** `nvd`, `kev`, `epss`, or the name of another feed. */
  readonly name: string
  /** JSON in the loader's own format: where the next or an interrupted load resumes. */
  readonly checkpoint: string
  /**
   * When a load of it last succeeded, in milliseconds since the epoch; undefined before the first.
   * When a state without it is written, the stored value remains.
   */
  readonly loadedAt?: number | undefined
}
