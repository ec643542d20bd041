import type { CveAuthority, CveRecord } from '../records.ts'

/** Records of a feed with the checkpoint after them. */
export interface RecordBatch {
  readonly records: readonly CveRecord[]
  /** JSON: where the next load of the source resumes. Stored together with the records. */
  readonly checkpoint?: string | undefined
}

/** Progress of a load. */
export interface LoadProgress {
  /** `records`: reads and stages records; `index`: builds the index. */
  readonly phase: 'records' | 'index'
  /** Records read, including those of an interrupted load, or terms written. */
  readonly done: number
}

/** Result of a load. */
export interface LoadReport {
  /**
   * Number of records read, including those adopted from an interrupted load: the sum of added,
   * joined, changed, unchanged and older ones.
   */
  readonly read: number
  /** Number of new CVEs. */
  readonly added: number
  /** Number of new records of CVEs that the other authority already has; absent for none. */
  readonly joined?: number
  readonly changed: number
  /** Identical to the stored record. */
  readonly unchanged: number
  /** Older than the stored record, and therefore skipped. */
  readonly older: number
  readonly removed: number
  /** Example records among the removed ones: the first load of real records removes them. */
  readonly removedExamples?: number
  /** Number of records after the load. */
  readonly total: number
  /** The generation with the result; the previous one if nothing changed. */
  readonly generation: number
  readonly ms: number
}

/** Options of a load of ratings, which replaces all of them by default. */
export interface RatingOptions extends LoadOptions {
  /** Ratings that are not in the input remain: some of them may have been unreadable. */
  readonly keepsRest?: boolean | undefined
}

/** Options of a load. */
export interface LoadOptions {
  /** Name under which the checkpoint is stored: `nvd`, `kev`, `epss`, or another one. */
  readonly source: string
  /** Who publishes the records; NVD by default. Records of the other one remain beside them. */
  readonly authority?: CveAuthority | undefined
  /** Loads even if another loader seems to be alive. */
  readonly takeOver?: boolean | undefined
  /** Ends the load after the current batch; staged records remain for the next load. */
  readonly signal?: AbortSignal | undefined
  /**
   * Removes records that no batch contained: the source was read completely. A function is called
   * after the last batch, when it is known whether every record was valid.
   */
  readonly isComplete?: boolean | (() => boolean) | undefined
  /**
   * JSON: replaces the source's checkpoint if the load succeeds. A function is called after the
   * last batch.
   */
  readonly finalCheckpoint?: string | (() => string) | undefined
  /**
   * Whether anything of the source was readable; called after the last batch, true by default. If
   * false, the source's age is not reset.
   */
  readonly hasRead?: (() => boolean) | undefined
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
}
