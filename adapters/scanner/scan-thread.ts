import { Worker } from 'node:worker_threads'
import type { UnreadFile } from '../../core/code-scanner/model/finding.ts'
import { openFileScanner, type ScanFilesOptions, type ScannedFiles } from './scan-files.ts'
import type { ScanReply, ScanWorkerData } from './worker-protocol.ts'

/** Scans batches of files, one at a time. */
export interface ScanThread {
  /** Counts a file that takes too long or crashes the thread as `failed`. */
  scan(paths: readonly string[]): Promise<ScannedFiles>
  close(): void
}

/** Options of threads. */
export interface ScanThreadOptions extends ScanFilesOptions {
  /** Maximum scan time of one file in milliseconds; 10,000 by default. */
  readonly maxFileMs?: number | undefined
  /** Entry file of the thread; the package's own by default. */
  readonly entry?: URL | undefined
}

/** Opens a thread, or scans in the current thread if none can be started. */
export async function openScanThread(options: ScanThreadOptions): Promise<ScanThread> {
  let worker = await startWorker(options)
  if (!worker) {
    const scanner = await openFileScanner(options)
    return { scan: (paths) => scanner.scan(paths, () => {}), close() {} }
  }
  let isClosed = false
  return {
    async scan(paths) {
      let rest = paths
      const failed: UnreadFile[] = []
      // Each iteration skips one file, so the number of iterations is bounded.
      while (rest.length > 0) {
        worker ??= await startWorker(options)
        const result: ScannedFiles | number = worker ? await worker.run(rest) : 0
        if (typeof result !== 'number') return withFailed(result, failed)
        if (isClosed) break
        worker = undefined
        const culprit = Math.min(Math.max(result, 0), rest.length - 1)
        failed.push(...rest.slice(culprit, culprit + 1).map(toFailed))
        rest = rest.toSpliced(culprit, 1)
      }
      return withFailed({ scans: [], files: 0, skipped: {}, unread: [] }, failed)
    },
    close() {
      isClosed = true
      worker?.kill()
    },
  }
}

/** Interval for checking a thread's progress. */
const CHECK_MS = 250

/** Heap limit of a thread in MiB, if the runtime supports it. */
const MAX_HEAP_MB = 512

/** Memory for objects of one file, in MiB: a small size fits better into the processor's cache. */
const YOUNG_HEAP_MB = 24

interface RunningWorker {
  /** Returns the result, or the index of the file that crashed the thread. */
  run(paths: readonly string[]): Promise<ScannedFiles | number>
  kill(): void
}

/** Starts a worker; undefined if threads cannot be started. */
async function startWorker(options: ScanThreadOptions): Promise<RunningWorker | undefined> {
  const { maxFileMs = 10_000, entry = getWorkerEntry(), root, packages, clients, cached } = options
  const progress = new SharedArrayBuffer(4)
  const at = new Int32Array(progress)
  let settle: ((reply: ScanReply | undefined) => void) | undefined
  let worker: Worker
  try {
    const data: ScanWorkerData = { options: { root, packages, clients, cached }, progress }
    worker = new Worker(entry, {
      workerData: data,
      resourceLimits: {
        maxOldGenerationSizeMb: MAX_HEAP_MB,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
    })
  } catch {
    return undefined
  }
  const next = () =>
    new Promise<ScanReply | undefined>((resolve) => {
      settle = resolve
    })
  const ready = next()
  worker.on('message', (reply: ScanReply) => settle?.(reply))
  worker.on('error', () => settle?.(undefined))
  worker.on('exit', () => settle?.(undefined))
  const kill = () => {
    settle?.(undefined)
    void worker.terminate()
  }
  if (!(await ready)) return undefined
  return {
    kill,
    async run(paths) {
      Atomics.store(at, 0, 0)
      const answer = next()
      worker.postMessage({ paths })
      let seen = 0
      let since = performance.now()
      const timer = setInterval(() => {
        const now = Atomics.load(at, 0)
        if (now !== seen) since = performance.now()
        seen = now
        if (performance.now() - since > maxFileMs) kill()
      }, CHECK_MS)
      const reply = await answer
      clearInterval(timer)
      return reply?.kind === 'done' ? reply.value : Atomics.load(at, 0)
    },
  }
}

function withFailed(result: ScannedFiles, failed: readonly UnreadFile[]): ScannedFiles {
  return { ...result, unread: [...failed, ...result.unread] }
}

function toFailed(path: string): UnreadFile {
  return { path, reason: 'failed' }
}

/** Returns the thread entry next to this file: `.ts` in the sources, `.js` in the build. */
function getWorkerEntry(): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./scan-worker.${ending}`, import.meta.url)
}
