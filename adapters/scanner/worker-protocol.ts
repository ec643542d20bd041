import type { ScanFilesOptions, ScannedFiles } from './scan-files.ts'

/** Initial data of a scanner thread. */
export interface ScanWorkerData {
  readonly options: ScanFilesOptions
  /** A 32-bit integer: index of the file that the thread is scanning. */
  readonly progress: SharedArrayBuffer
}

/** Request to a thread; one at a time. */
export interface ScanRequest {
  readonly paths: readonly string[]
}

/** Reply of a thread: `ready` once, then `done` for each batch. */
export type ScanReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly value: ScannedFiles }
