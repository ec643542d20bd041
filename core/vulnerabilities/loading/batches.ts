import type { CveRecord } from '../records.ts'

/** Records of a feed, with where they end. */
export interface RecordBatch {
  readonly records: readonly CveRecord[]
  /** JSON: where the next load of the source goes on; kept together with the records. */
  readonly checkpoint?: string | undefined
}

/** How a load goes on. */
export interface LoadProgress {
  /** `records`: they are read and kept; `index`: the index is made of them. */
  readonly phase: 'records' | 'index'
  /** Records read, with those of an interrupted load, or terms written. */
  readonly done: number
}

/** What a load did. */
export interface LoadReport {
  /**
   * Of records: with those that were taken over from an interrupted load, so that it is the sum of
   * those that were added, changed, unchanged and older.
   */
  readonly read: number
  readonly added: number
  readonly changed: number
  /** Read again as they were. */
  readonly unchanged: number
  /** Older than what is there already, so left out. */
  readonly older: number
  readonly removed: number
  /** Records that are there now. */
  readonly total: number
  /** The generation that shows it; the one before when nothing changed. */
  readonly generation: number
  readonly ms: number
}

/** How to load ratings, which are replaced unless told otherwise. */
export interface RatingOptions extends LoadOptions {
  /** Those that are not given stay as they are: some of them may not have been readable. */
  readonly keepsRest?: boolean | undefined
}

/** How to load. */
export interface LoadOptions {
  /** Whose checkpoint is kept: `nvd`, `kev`, `epss`, or another name. */
  readonly source: string
  /** Loads although another loader seems to be alive. */
  readonly takeOver?: boolean | undefined
  /** Ends the load after the present batch; what is staged stays for the next one. */
  readonly signal?: AbortSignal | undefined
  /**
   * Records that the batches did not hold are removed: the source was read as a whole. A function
   * is asked when the last batch is read, as only then it is known whether every record was sound.
   */
  readonly isWhole?: boolean | (() => boolean) | undefined
  /**
   * JSON: replaces the source's checkpoint when the load ends well. A function is asked when the
   * last batch is read.
   */
  readonly finalCheckpoint?: string | (() => string) | undefined
  /**
   * Whether anything of the source could be read, asked when the last batch is; true when absent.
   * If not, the source is as old as it was.
   */
  readonly hasRead?: (() => boolean) | undefined
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
}
