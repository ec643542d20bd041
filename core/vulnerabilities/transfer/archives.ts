import type { LoadDeps } from '../loading/load-lease.ts'
import type { ArchiveExport, ExportOptions } from './export-archive.ts'
import type { ArchiveLoadOptions, ArchiveReport } from './load-archive.ts'
import { type LoadedArchive, readPullState } from './pull.ts'

/** Copies the vulnerability database to other databases. */
export interface VulnerabilityArchives {
  /**
   * Starts to export the current generation: the index, the records, the ratings and the states of
   * the sources. Later loads do not change what is written.
   *
   * Throws a `ServiceError`: `not_found` if there are no records, `conflict` if a load is running,
   * `invalid_input` if one was interrupted, since its checkpoint does not match the records.
   */
  exportArchive(options: ExportOptions): Promise<ArchiveExport>
  /**
   * Loads an archive, and publishes everything at once at the end. Records that are already stored
   * are not written again. Newer ratings remain.
   *
   * Throws a `ServiceError` and changes nothing: `unsupported_media_type` for a file of another kind
   * or format, `invalid_body` if it is corrupt or truncated, `invalid_input` if it is older than the
   * database, `not_found` if it contains only changes of records that are not stored, `conflict` if
   * another load is running.
   */
  loadArchive(bytes: AsyncIterable<Uint8Array>, options: ArchiveLoadOptions): Promise<ArchiveReport>
  /** The archive that was loaded last. */
  readLoadedArchive(): Promise<LoadedArchive | undefined>
}

/** Creates the archives of a vulnerability database. */
export function createVulnerabilityArchives(deps: LoadDeps): VulnerabilityArchives {
  return {
    async exportArchive(options) {
      const { exportArchive } = await import('./export-archive.ts')
      return exportArchive(deps, options)
    },
    async loadArchive(bytes, options) {
      const { loadArchive } = await import('./load-archive.ts')
      return loadArchive(deps, bytes, options)
    },
    readLoadedArchive: async () => (await readPullState(deps.store)).archive,
  }
}
