import { parentPort, workerData } from 'node:worker_threads'
import { openFileScanner } from './scan-files.ts'
import type { ScanReply, ScanRequest, ScanWorkerData } from './worker-protocol.ts'

// Entry of a scanner thread: scans batches of files in sequence.

// Set by `openScanThread`.
const { options, progress } = workerData as ScanWorkerData
const at = new Int32Array(progress)
const scanner = openFileScanner(options)

parentPort?.on('message', async ({ paths }: ScanRequest) => {
  const { scan } = await scanner
  const value = await scan(paths, (index) => Atomics.store(at, 0, index))
  parentPort?.postMessage({ kind: 'done', value } satisfies ScanReply)
})
scanner.then(() => parentPort?.postMessage({ kind: 'ready' } satisfies ScanReply))
