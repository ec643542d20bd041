import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { ProjectFindings } from '../../core/scans/project/finding.ts'
import type { PackageRow } from '../../core/scans/project/packages/rows.ts'
import {
  createProjectScan,
  type ProjectScan,
  type ScanCatalogue,
} from '../../core/scans/project/scan-project.ts'
import { createKnownVendors } from '../../core/vendors/known-vendors.ts'
import { openScanThread, type ScanThread } from './scan-thread.ts'
import { type WalkOptions, walkFolder } from './walk.ts'

/** What to scan, and how. */
export interface ScanFolderOptions extends WalkOptions {
  /** What finds are matched to; when not given, hosts alone are told. */
  readonly catalogue?: ScanCatalogue | undefined
  /** Vendors' libraries besides the built-in ones; of the same name these count. */
  readonly packages?: readonly PackageRow[] | undefined
  /** Threads at the same time; as many as the machine has cores, at most 4, when not given. */
  readonly workers?: number | undefined
  /** Longest that one file may take; 10,000 when not given. */
  readonly maxFileMs?: number | undefined
  /** Ends the scan: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Told after each batch. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined
}

/** How far a scan is. */
export interface ScanProgress {
  /** Files that are done, those left out after they were opened included. */
  readonly done: number
  /** Files that are known of so far. */
  readonly known: number
  /** Whether all files are known. */
  readonly isWalked: boolean
  /** Uses that were seen so far, before they are joined and matched. */
  readonly seen: number
}

/**
 * Scans the files of a folder and of those below it. Memory grows with what is found, not with the
 * files. Throws a `ServiceError` with code `not_found` when the folder is not there.
 */
export async function scanFolder(options: ScanFolderOptions): Promise<ProjectFindings> {
  const root = resolve(options.root)
  const { signal, packages = [] } = options
  signal?.throwIfAborted()
  const own = createKnownVendors(packages)
  const { catalogue } = options
  const scan = createProjectScan({
    match: (query) => catalogue?.match(query),
    findVendor: (host) => own.findByHost(host)?.name ?? catalogue?.findVendor?.(host),
  })
  const maxThreads = Math.max(1, options.workers ?? Math.min(4, availableParallelism()))
  const threads: ScanThread[] = []
  const batches = readAhead(
    toBatches(walkFolder({ ...options, root, onSkip: (reason) => scan.skip(reason) })),
  )
  let done = 0
  let seen = 0
  const work = async (): Promise<void> => {
    let thread: ScanThread | undefined
    for (let paths = await batches.next(); paths; paths = await batches.next()) {
      if (signal?.aborted) return
      // A thread is begun when there is work left for it, so few files begin few threads.
      if (!thread) {
        thread = await openScanThread({ root, packages, maxFileMs: options.maxFileMs })
        threads.push(thread)
      }
      if (signal?.aborted) return
      const found = await thread.scan(paths)
      addFiles(scan, found)
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
    // What was under way when the scan was ended.
    all.then(end, end)
  }
  return scan.finish()
}

/** Files in a batch: few enough that threads end at about the same time. */
const BATCH = 64

/** Batches that are known before they are scanned; more wait in the folder. */
const AHEAD = 1000

async function* toBatches(
  folders: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const paths of folders) {
    for (const path of paths) {
      batch.push(path)
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Batches that are read before they are asked for, so that it is known how many there are. */
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
        if (ready.length >= AHEAD) {
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

function addFiles(scan: ProjectScan, found: Awaited<ReturnType<ScanThread['scan']>>): void {
  for (const one of found.scans) scan.add(one)
  for (let rest = found.files - found.scans.length; rest > 0; rest -= 1) scan.add(undefined)
  for (const [reason, count] of Object.entries(found.skipped)) {
    for (let rest = count; rest > 0; rest -= 1) scan.skip(reason)
  }
}
