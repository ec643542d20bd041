import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { type ScanTextOptions, scanText } from '../../core/code-scanner/find/scan-text.ts'
import type { ClientRows } from '../../core/code-scanner/model/client-rows.ts'
import type { FileScan } from '../../core/code-scanner/model/file-scan.ts'
import { createPackageTable } from '../../core/code-scanner/packages/table.ts'
import type { PackageRow } from '../../core/vendors/package-rows.ts'
import { VENDOR_PACKAGES } from '../../core/vendors/packages.ts'
import { type LazyGrammars, openLazyGrammars } from './grammars.ts'
import { createSourceReader } from './read-source.ts'

/** Options for scanning files; can be sent to a thread. */
export interface ScanFilesOptions {
  readonly root: string
  /** Additional libraries; take precedence over the built-in ones. */
  readonly packages: readonly PackageRow[]
  /** Client libraries of the project file. */
  readonly clients?: readonly ClientRows[] | undefined
}

/** Results of scanning files. */
export interface ScannedFiles {
  readonly scans: readonly FileScan[]
  /** Number of files that were read. */
  readonly files: number
  /** Number of skipped files by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

/** Opens a scanner for the files of a folder. Loads grammars on demand. */
export async function openFileScanner(options: ScanFilesOptions): Promise<{
  /** Calls `onFile` before each file. */
  scan(paths: readonly string[], onFile: (index: number) => void): Promise<ScannedFiles>
}> {
  const grammars = await openLazyGrammars()
  const read = createSourceReader()
  const table = createPackageTable([...options.packages, ...VENDOR_PACKAGES])
  const given: ScanTextOptions = { grammars, clients: options.clients, ...table }
  return {
    async scan(paths, onFile) {
      const scans: FileScan[] = []
      const skipped: Record<string, number> = {}
      const skip = (reason: string) => {
        skipped[reason] = (skipped[reason] ?? 0) + 1
      }
      let files = 0
      for (const [index, path] of paths.entries()) {
        onFile(index)
        const source = read(join(options.root, path))
        if ('skipped' in source) {
          skip(source.skipped)
          continue
        }
        try {
          const scan = await scanFile({ path, text: source.text }, given, grammars)
          files += 1
          if (scan) scans.push(scan)
        } catch (error) {
          // A thread with unusable grammars exits, and another one reads the other files.
          if (!isMainThread && error instanceof WebAssembly.RuntimeError) throw error
          skip('failed')
        }
      }
      return { scans, files, skipped }
    },
  }
}

/** Scans a text, and again if it needs a grammar that was not loaded. */
async function scanFile(
  file: { readonly path: string; readonly text: string },
  options: ScanTextOptions,
  grammars: LazyGrammars | undefined,
): Promise<FileScan | undefined> {
  const scan = scanText(file, options)
  if (!grammars || grammars.missing.size === 0) return scan
  const loaded = await Promise.all([...grammars.missing].map((one) => grammars.load(one)))
  return loaded.includes(true) ? scanText(file, options) : scan
}
