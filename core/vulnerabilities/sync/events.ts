/** Progress of a sync. */
export type SyncEvent = BegunEvent | ProgressEvent | WaitingEvent | ProblemEvent | FileEvent

/** A sync with the service begins. */
export interface BegunEvent {
  readonly kind: 'begun'
  /** Everything, or the changes since the last sync. */
  readonly mode: 'full' | 'increment'
  /** True if it resumes an interrupted sync. */
  readonly isResumed: boolean
  /** Why everything is read although only changes are missing. */
  readonly reason?: string | undefined
}

export interface ProgressEvent {
  readonly kind: 'progress'
  /** `download`: receives files; `records`: reads and stages records; `index`: builds the index. */
  readonly phase: 'download' | 'records' | 'index'
  /** Bytes received, records read, or terms written. */
  readonly done: number
  /** Total number of bytes or records, if the source reports it. */
  readonly total?: number | undefined
  /** Size of the files that are read, and of all files, if known. */
  readonly bytes?: { readonly done: number; readonly total: number } | undefined
}

/** The sync waits. */
export interface WaitingEvent {
  readonly kind: 'waiting'
  readonly ms: number
  readonly reason: string
}

/** An item was skipped. */
export interface ProblemEvent {
  readonly kind: 'problem'
  /** The file or URL. */
  readonly source: string
  /** The CVE ID, if recognised. */
  readonly id?: string | undefined
  readonly message: string
}

export interface FileEvent {
  readonly kind: 'file'
  readonly name: string
  /** `skipped`: an interrupted load has already read it; `foreign`: it is not a feed. */
  readonly state: 'begun' | 'done' | 'skipped' | 'failed' | 'foreign'
}

export type OnSyncEvent = (event: SyncEvent) => void
