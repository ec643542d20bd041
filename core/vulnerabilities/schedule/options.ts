/** Scheduled syncs of the vulnerability database. `runJobs` starts and runs them. */
export interface VulnerabilitySyncOptions {
  /** Names of the sources, as in the status: `nvd`, `cve`, `kev`, `epss`. */
  readonly sources: readonly string[]
  /**
   * Returns the first regular start after `from`; undefined if there is none. Both are milliseconds
   * since the epoch.
   */
  readonly nextRun: (from: number) => number | undefined
  /**
   * Loads every source and returns the result of each. Must end soon after the signal is aborted,
   * and resume when called again. The message of a rejection is logged, and shown only if it is a
   * `ServiceError`.
   */
  readonly sync: (signal: AbortSignal) => Promise<readonly SyncSourceResult[]>
}

/** Result of the sync of one source. */
export interface SyncSourceResult {
  readonly source: string
  /**
   * `partial`: some input could not be read; `fresh`: nothing was due; `busy`: another process is
   * loading, so the sync is repeated soon.
   */
  readonly state: 'loaded' | 'partial' | 'fresh' | 'busy' | 'failed'
  /** Why it failed or is partial; empty otherwise. */
  readonly message: string
}
