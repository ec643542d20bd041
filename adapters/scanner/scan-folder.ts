import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { ScanCatalogue } from '../../core/code-scanner/find/confirm-findings.ts'
import { findLanguage } from '../../core/code-scanner/languages/languages.ts'
import type { ProjectFindings } from '../../core/code-scanner/model/finding.ts'
import { createProjectScan, type ProjectScan } from '../../core/code-scanner/scan-project.ts'
import { createAiServices } from '../../core/vendors/ai-services.ts'
import { createKnownVendors } from '../../core/vendors/known-vendors.ts'
import type { PackageRow } from '../../core/vendors/package-rows.ts'
import { VENDORS } from '../../core/vendors/vendors.ts'
import { findMissingGrammars } from './grammars.ts'
import { PROJECT_FILE, readProjectFile } from './read-project-file.ts'
import { openScanCache, type ScanCache } from './scan-cache.ts'
import type { ScannedFiles } from './scan-files.ts'
import { openScanThread, type ScanThread } from './scan-thread.ts'
import { type WalkOptions, walkFolder } from './walk.ts'

/** Options for scanning a folder. */
export interface ScanFolderOptions extends WalkOptions {
  /** Catalogue to match usages to; without it, only hosts are reported. */
  readonly catalogue?: ScanCatalogue | undefined
  /** Additional libraries of vendors; take precedence over built-in ones of the same name. */
  readonly packages?: readonly PackageRow[] | undefined
  /** Number of threads; the number of cores, up to 4, by default. */
  readonly workers?: number | undefined
  /** Maximum scan time of one file in milliseconds; 10,000 by default. */
  readonly maxFileMs?: number | undefined
  /**
   * Folder for the results of files, which later scans reuse for unchanged files; created if it does
   * not exist. None by default. Results that may contain a secret are not stored.
   */
  readonly cacheFolder?: string | undefined
  /** Aborts the scan: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with grammars that files need but that are not installed: only URLs are found there. */
  readonly onMissingGrammars?: ((names: readonly string[]) => void) | undefined
  /** Called after each batch. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined
}

/** Progress of a scan. */
export interface ScanProgress {
  /** Number of finished files, including those skipped after opening. */
  readonly done: number
  /** Number of files found so far. */
  readonly known: number
  /** Whether all files have been found. */
  readonly isWalked: boolean
  /** Number of usages found so far, before they are merged and matched. */
  readonly seen: number
}

/**
 * Scans the files of a folder and its subfolders. Memory grows with the findings, not with the
 * files. Reads the project file `.api-discovery.yaml` of the folder, if there is one. Throws a
 * `ServiceError` with code `not_found` if the folder does not exist, and `invalid_input` if the
 * project file is invalid.
 *
 * @example
 * ```ts
 * import { scanFolder } from 'api-discovery/scanner'
 *
 * const { files, findings } = await scanFolder({ root: '.', catalogue })
 * for (const { file, line, method, url } of findings) console.log(`${file}:${line}`, method, url)
 * ```
 */
export async function scanFolder(options: ScanFolderOptions): Promise<ProjectFindings> {
  const root = resolve(options.root)
  const { signal } = options
  signal?.throwIfAborted()
  const file = await readProjectFile(root)
  const packages = [...(options.packages ?? []), ...(file?.packages ?? [])]
  const clients = file?.clients
  const { cacheFolder, catalogue } = options
  const cache =
    cacheFolder === undefined
      ? undefined
      : await openScanCache(cacheFolder, { options: { packages, clients } })
  const own = createKnownVendors(packages)
  const scan = createProjectScan(
    {
      services: packages.length === 0 ? undefined : createAiServices([...packages, ...VENDORS]),
      match: (query) => catalogue?.match(query),
      findVendor: (host) => own.findByHost(host)?.name ?? catalogue?.findVendor?.(host),
    },
    clients,
    file?.ownHosts,
  )
  const maxThreads = Math.max(1, options.workers ?? Math.min(4, availableParallelism()))
  const threads: ScanThread[] = []
  const batches = readAhead(
    toBatches(
      walkFolder({
        ...options,
        root,
        exclude: [...(options.exclude ?? []), ...(file ? [`/${PROJECT_FILE}`] : [])],
        onSkip(reason, path) {
          if (reason === 'unreadable') scan.skipUnread({ reason, path })
          else scan.skip(reason)
        },
      }),
    ),
  )
  let done = 0
  let seen = 0
  const grammars = new Set<string>()
  const work = async (): Promise<void> => {
    let thread: ScanThread | undefined
    for (let paths = await batches.next(); paths; paths = await batches.next()) {
      if (signal?.aborted) return
      // Starts a thread only if work is left for it, so that few files start few threads.
      if (!thread) {
        const { maxFileMs } = options
        const cached = cache?.keys
        thread = await openScanThread({ root, packages, clients, cached, maxFileMs })
        threads.push(thread)
      }
      if (signal?.aborted) return
      if (options.onMissingGrammars) {
        for (const path of paths) grammars.add(findLanguage({ path, text: '' })?.grammar ?? '')
      }
      const found = await thread.scan(paths)
      addScannedFiles({ scan, cache }, found)
      done += paths.length
      for (const { candidates, findings } of found.scans)
        seen += candidates.length + findings.length
      options.onProgress?.({ done, known: batches.known(), isWalked: batches.isDone(), seen })
    }
  }
  const end = () => {
    for (const thread of threads) thread.close()
  }
  const aborted = new Promise<void>((settle) => {
    signal?.addEventListener('abort', () => settle(), { once: true })
  })
  const all = Promise.all(Array.from({ length: maxThreads }, work))
  try {
    await Promise.race([all, aborted])
    signal?.throwIfAborted()
  } finally {
    batches.stop()
    end()
    // Threads that were started after the scan was aborted.
    all.then(end, end)
  }
  await cache?.save()
  grammars.delete('')
  const missing = findMissingGrammars(grammars)
  if (missing.length > 0) options.onMissingGrammars?.(missing)
  return scan.finish()
}

/** Number of files per batch: small enough that all threads finish at about the same time. */
const BATCH_FILES = 64

/** Maximum number of batches read ahead; the walk pauses above it. */
const MAX_BATCHES_AHEAD = 1000

async function* toBatches(
  folders: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const paths of folders) {
    for (const path of paths) {
      batch.push(path)
      if (batch.length < BATCH_FILES) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Reads batches ahead, so that the number of files is known early. */
function readAhead(source: AsyncIterator<readonly string[]>): {
  next(): Promise<readonly string[] | undefined>
  known(): number
  isDone(): boolean
  stop(): void
} {
  const ready: (readonly string[])[] = []
  let known = 0
  let isDone = false
  let failure: unknown
  let hasFailed = false
  const wake: (() => void)[] = []
  const wakeAll = () => {
    for (const one of wake.splice(0)) one()
  }
  const wait = () => new Promise<void>((resolve) => wake.push(resolve))
  const read = async (): Promise<void> => {
    try {
      while (!isDone) {
        if (ready.length >= MAX_BATCHES_AHEAD) {
          await wait()
          continue
        }
        const { done, value } = await source.next()
        if (done) break
        ready.push(value)
        known += value.length
        wakeAll()
      }
    } catch (error) {
      failure = error
      hasFailed = true
    }
    isDone = true
    wakeAll()
  }
  void read()
  return {
    async next() {
      while (ready.length === 0 && !isDone) await wait()
      if (hasFailed) throw failure
      const batch = ready.shift()
      wakeAll()
      return batch
    },
    known: () => known,
    isDone: () => isDone,
    stop() {
      isDone = true
      ready.length = 0
      wakeAll()
    },
  }
}

function addScannedFiles(
  { scan, cache }: { readonly scan: ProjectScan; readonly cache: ScanCache | undefined },
  found: ScannedFiles,
): void {
  const stored = cache && found.cache ? found.cache.found.map((key) => cache.find(key)) : []
  for (const [key, at] of found.cache?.added ?? []) cache?.add(key, found.scans[at])
  const scans = [...found.scans, ...stored.filter((one) => one !== null)]
  for (const one of scans) scan.add(one)
  for (let rest = found.files - scans.length; rest > 0; rest -= 1) scan.add(undefined)
  for (const file of found.unread) scan.skipUnread(file)
  for (const [reason, count] of Object.entries(found.skipped)) {
    for (let rest = count; rest > 0; rest -= 1) scan.skip(reason)
  }
}
