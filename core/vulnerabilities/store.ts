import type { MaybePromise } from '../shared/maybe-promise.ts'

/**
 * The repository of the vulnerabilities. The core makes the search index itself, so that every
 * storage gives the same answers; a storage keeps records and parts of the index as they come.
 *
 * What readers see is one generation: a manifest that names part sets. A loader stages records and
 * sets beside it, in short transactions, and one `publish` makes a new generation current.
 */
export interface VulnerabilityStore {
  /** Counts up with every published generation; 0 before the first. */
  generation(): MaybePromise<number>

  /** Names the current content in at most 40 letters, digits and hyphens, as the catalogue's does. */
  revision(): MaybePromise<string>

  /** The current generation's manifest, as it was published; undefined before the first. */
  readManifest(): Promise<PublishedManifest | undefined>

  /**
   * Parts of a set in the order of `numbers`, each in a buffer of its own from its first byte on;
   * undefined for one that is not there. A hot read.
   */
  readParts(
    set: PartSet,
    numbers: readonly number[],
  ): MaybePromise<readonly (Uint8Array | undefined)[]>

  /**
   * Records by row id, in the order of `rowIds`; undefined for one that is gone. `what` says which
   * columns are read: `line` the line alone, `products` both, `all` the detail too.
   */
  readRecords(
    rowIds: readonly number[],
    what: 'line' | 'products' | 'all',
  ): MaybePromise<readonly (StoredRecord | undefined)[]>

  /** What is kept about each source, by name. */
  listSources(): Promise<readonly SourceState[]>

  /**
   * Takes the right to load, which one loader at a time has, and tells what an interrupted one
   * left. Throws a `ServiceError` with code `conflict` when another loader gave a sign of life less
   * than `LOAD_LEASE_MS` ago, unless `takeOver`.
   */
  beginLoad(options: {
    readonly source: string
    readonly takeOver?: boolean | undefined
  }): Promise<Load>
}

/** A loader silent for this long has died. */
export const LOAD_LEASE_MS = 10_000

/**
 * The right to load. Every method is one transaction (`writeParts` may be several), and throws a
 * `ServiceError` with code `conflict` when another loader has taken over. The numbers go on with
 * what the load does.
 */
export interface Load {
  /**
   * Of every set and generation made by this load: greater than all before, one more after each
   * `publish`.
   */
  readonly next: number
  /** The first row id of staged records: those before it are published or garbage. */
  readonly firstRowId: number
  /** The row id that the next staged record gets. */
  readonly nextRowId: number

  /** Staged records from a row id on, in its order, at most `size`: what an interrupted load left. */
  listStaged(from: number, size: number): Promise<readonly StagedRecord[]>

  /** Writes records with the checkpoint of what they came from: all or nothing. */
  stage(batch: {
    readonly records: readonly StagedRecord[]
    readonly source?: SourceState | undefined
  }): Promise<void>

  /** Writes parts of a set that is not published; a part that is there is replaced. */
  writeParts(set: PartSet, parts: readonly Part[]): Promise<void>

  /**
   * Makes the manifest the current generation, moves `firstRowId` behind all staged records when
   * `takesStaged`, and writes the source's state: one transaction.
   */
  publish(published: {
    readonly manifest: string
    /** Every set that the manifest names; others are swept when no reader can need them. */
    readonly sets: readonly PartSet[]
    /** Records that the new generation no longer has: swept with the generation before it. */
    readonly dropped: readonly number[]
    readonly takesStaged: boolean
    readonly source: SourceState
  }): Promise<void>

  /**
   * Removes a little of what nobody can read any more (sets and records of generations that ended
   * ten minutes ago, sets that were never published); true while more may be left.
   */
  sweep(): Promise<boolean>

  /** A sign of life without other work. */
  beat(): Promise<void>

  /** Gives the right back; what is staged stays for the next load. */
  end(): Promise<void>
}

/** A set of numbered parts, such as one version of the index. */
export interface PartSet {
  readonly id: number
  /** As `columns`, `words`; at most 20 characters. */
  readonly name: string
}

export interface Part {
  readonly number: number
  readonly bytes: Uint8Array
}

export interface PublishedManifest {
  readonly generation: number
  readonly publishedAt: number
  /** JSON, the core's own. */
  readonly manifest: string
}

/** A record as it is kept. */
export interface StoredRecord {
  /** JSON of the record's fields of Specification 2.5, with its first affected product. */
  readonly line: string
  /** JSON of its affected products, packed; empty unless asked for. */
  readonly products: string
  /** Everything else, packed; empty unless asked for. */
  readonly detail: string
}

export interface StagedRecord extends StoredRecord {
  readonly rowId: number
}

/** What is known of a source of data. */
export interface SourceState {
  /** `nvd`, `kev`, `epss`, or what a feed calls itself. */
  readonly name: string
  /** JSON: where an interrupted or the next load goes on; the loader's own. */
  readonly checkpoint: string
  /**
   * When a load of it last ended well, in milliseconds since the epoch; undefined before the first,
   * and where it is written to keep what is there.
   */
  readonly loadedAt?: number | undefined
}
