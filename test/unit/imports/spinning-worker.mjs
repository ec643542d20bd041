import { parentPort } from 'node:worker_threads'

// A worker for the tests: answers `echo`, never comes back from `spin`.

parentPort?.on('message', ({ task, input }) => {
  while (task === 'spin');
  parentPort?.postMessage({ kind: 'done', value: input })
})
parentPort?.postMessage({ kind: 'ready' })
