/** What a sync tells while it works. */
export type SyncEvent = BegunEvent | ProgressEvent | WaitingEvent | ProblemEvent | FileEvent

/** A sync with the service begins. */
export interface BegunEvent {
  readonly kind: 'begun'
  /** Everything, or what changed since the last one. */
  readonly mode: 'full' | 'increment'
  /** It goes on where an interrupted one stopped. */
  readonly isResumed: boolean
}

export interface ProgressEvent {
  readonly kind: 'progress'
  /** `records`: they are read and kept; `index`: the index is made of them. */
  readonly phase: 'records' | 'index'
  /** Records read, or terms written. */
  readonly done: number
  /** Records in all, where the source tells. */
  readonly total?: number | undefined
  /** Bytes of the files that are read, and of all files, where they are known. */
  readonly bytes?: { readonly done: number; readonly total: number } | undefined
}

/** Nothing happens for a while, and why. */
export interface WaitingEvent {
  readonly kind: 'waiting'
  readonly ms: number
  readonly reason: string
}

/** Something was left out. */
export interface ProblemEvent {
  readonly kind: 'problem'
  /** The file or address. */
  readonly source: string
  /** The CVE id, where it could be told. */
  readonly id?: string | undefined
  readonly message: string
}

export interface FileEvent {
  readonly kind: 'file'
  readonly name: string
  /** `skipped`: an interrupted load has read it already; `foreign`: it is something else. */
  readonly state: 'begun' | 'done' | 'skipped' | 'failed' | 'foreign'
}

export type OnSyncEvent = (event: SyncEvent) => void
