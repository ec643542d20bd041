import { parentPort, workerData } from 'node:worker_threads'
import { openFileScanner } from './scan-files.ts'
import type { ScanReply, ScanRequest, ScanWorkerData } from './worker-protocol.ts'

// The entry of a scanner's thread: scans one batch of files after the other.

// What `openScanThread` started the thread with.
const { options, progress } = workerData as ScanWorkerData
const at = new Int32Array(progress)
const scanner = openFileScanner(options)

parentPort?.on('message', async ({ paths }: ScanRequest) => {
  const { scan } = await scanner
  const value = await scan(paths, (index) => Atomics.store(at, 0, index))
  parentPort?.postMessage({ kind: 'done', value } satisfies ScanReply)
})
scanner.then(() => parentPort?.postMessage({ kind: 'ready' } satisfies ScanReply))
