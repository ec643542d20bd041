import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'

// A scanner thread for tests: hangs at `slow`, exits at `crash`, and reads other files.

const at = new Int32Array(workerData.progress)

parentPort?.on('message', ({ paths }: { readonly paths: readonly string[] }) => {
  for (const [index, path] of paths.entries()) {
    Atomics.store(at, 0, index)
    if (path === 'crash') process.exit(1)
    if (path === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
  }
  const value = { scans: [], files: paths.length, skipped: {}, unread: [] }
  parentPort?.postMessage({ kind: 'done', value })
})
parentPort?.postMessage({ kind: 'ready' })
