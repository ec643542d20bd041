import type { ScanFilesOptions, ScannedFiles } from './scan-files.ts'

/** What a scanner's thread is started with. */
export interface ScanWorkerData {
  readonly options: ScanFilesOptions
  /** One 32-bit integer: the file of the batch that the thread is at. */
  readonly progress: SharedArrayBuffer
}

/** What a thread is asked; one at a time. */
export interface ScanRequest {
  readonly paths: readonly string[]
}

/** What a thread answers: once `ready`, then each batch. */
export type ScanReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly value: ScannedFiles }
