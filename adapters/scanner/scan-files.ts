import { isMainThread } from 'node:worker_threads'
import { type ScanTextOptions, scanText } from '../../core/code-scanner/find/scan-text.ts'
import type { ClientRows } from '../../core/code-scanner/model/client-rows.ts'
import type { FileScan } from '../../core/code-scanner/model/file-scan.ts'
import type { UnreadFile } from '../../core/code-scanner/model/finding.ts'
import { createPackageTable } from '../../core/code-scanner/packages/table.ts'
import type { PackageRow } from '../../core/vendors/package-rows.ts'
import { VENDOR_PACKAGES } from '../../core/vendors/packages.ts'
import { type LazyGrammars, openLazyGrammars } from './grammars.ts'
import { createSourceReader } from './read-source.ts'
import { toCacheKey } from './scan-cache.ts'

/** Options for scanning files; can be sent to a thread. */
export interface ScanFilesOptions {
  readonly root: string
  /** Additional libraries; take precedence over the built-in ones. */
  readonly packages: readonly PackageRow[]
  /** Client libraries of the project file. */
  readonly clients?: readonly ClientRows[] | undefined
  /** Keys of stored results of files; undefined if there is no cache. */
  readonly cached?: readonly string[] | undefined
}

/** Results of scanning files. */
export interface ScannedFiles {
  readonly scans: readonly FileScan[]
  /** With a cache: keys of files with stored results, and of those that were scanned. */
  readonly cache?: {
    readonly found: readonly string[]
    /** The result is the index in `scans`, or -1 for a file without usages. */
    readonly added: readonly (readonly [key: string, scan: number])[]
  }
  /** Number of files that were read. */
  readonly files: number
  /** Number of other skipped files by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly unread: readonly UnreadFile[]
}

/** Opens a scanner for the files of a folder. Loads grammars on demand. */
export async function openFileScanner(options: ScanFilesOptions): Promise<{
  /** Calls `onFile` before each file. */
  scan(paths: readonly string[], onFile: (index: number) => void): Promise<ScannedFiles>
}> {
  const { root, cached } = options
  const known = new Set(cached)
  const cache = cached && { has: (key: string) => known.has(key), toKey: toCacheKey }
  const read = createSourceReader(root, cache)
  let opening: Promise<OpenScanner> | undefined
  return {
    async scan(paths, onFile) {
      const scans: FileScan[] = []
      const found: string[] = []
      const added: [string, number][] = []
      const skipped: Record<string, number> = {}
      const unread: UnreadFile[] = []
      let files = 0
      for (const [index, path] of paths.entries()) {
        onFile(index)
        const source = read(path)
        if ('skipped' in source) {
          const reason = source.skipped
          if (reason === 'unreadable') unread.push({ path, reason })
          else skipped[reason] = (skipped[reason] ?? 0) + 1
          continue
        }
        if ('known' in source) {
          found.push(source.known)
          files += 1
          continue
        }
        try {
          opening ??= openScanner(options)
          const { scan, isCertain } = await scanFile({ path, text: source.text }, await opening)
          files += 1
          if (isCertain && cache) added.push([source.key, scan ? scans.length : -1])
          if (scan) scans.push(scan)
        } catch (error) {
          // A thread with unusable grammars exits, and another one reads the other files.
          if (!isMainThread && error instanceof WebAssembly.RuntimeError) throw error
          unread.push({ path, reason: 'failed' })
        }
      }
      return { scans, files, skipped, unread, ...(cache && { cache: { found, added } }) }
    },
  }
}

interface OpenScanner {
  readonly grammars: LazyGrammars | undefined
  readonly options: Omit<ScanTextOptions, 'grammars'>
}

async function openScanner({ packages, clients }: ScanFilesOptions): Promise<OpenScanner> {
  const grammars = await openLazyGrammars()
  const table = createPackageTable([...packages, ...VENDOR_PACKAGES])
  return { grammars, options: { clients, ...table } }
}

/** Scans a text, and again if it needs a grammar that was not loaded. */
async function scanFile(
  file: { readonly path: string; readonly text: string },
  { grammars, options }: OpenScanner,
): Promise<{
  readonly scan: FileScan | undefined
  /** False if the text was not parsed, which another scan may do. */
  readonly isCertain: boolean
}> {
  const read = () => {
    let isCertain = true
    const parse: LazyGrammars['parse'] = (language, text) => {
      const tree = grammars?.parse(language, text)
      isCertain &&= tree !== undefined
      return tree
    }
    const scan = scanText(file, { ...options, grammars: grammars && { parse } })
    return { scan, isCertain }
  }
  const result = read()
  if (!grammars || grammars.missing.size === 0) return result
  const loaded = await Promise.all([...grammars.missing].map((one) => grammars.load(one)))
  return loaded.includes(true) ? read() : result
}
