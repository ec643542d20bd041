import { readNvdFeed } from '../feeds/read-nvd.ts'
import { FILES_SOURCE } from './files-checkpoint.ts'
import { type FileSyncOptions, type FileSyncReport, syncFiles } from './sync-files.ts'

/**
 * Loads NVD feeds and API pages. A broken record or file is reported and skipped. An interrupted
 * load skips the files that it has read, unless they changed.
 *
 * @example
 * ```ts
 * import { syncNvdFiles } from 'api-discovery/vulnerabilities'
 * import { listFeedFiles, readFeedFile } from 'api-discovery/feeds'
 *
 * const { files } = await listFeedFiles('feeds')
 * const feeds = files.map(({ name, path }) => ({ name, open: () => readFeedFile(path) }))
 * const { failures } = await syncNvdFiles({ ...deps, files: feeds })
 * for (const { name, message } of failures) console.error(`${name}: ${message}`)
 * ```
 */
export async function syncNvdFiles(options: FileSyncOptions): Promise<FileSyncReport> {
  return syncFiles(options, { source: FILES_SOURCE, read: readNvdFeed })
}
