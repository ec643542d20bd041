import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const { bun, deno } = process.versions

// They leave nothing in their process: to start one for each file, and to load all there, takes as
// long as they do.
const SHARING = ['test/**/*.test.ts']
// Deno's process does not always end after these, which start processes of their own.
const STARTING = [
  'test/*.test.ts',
  'test/{golden-queries,package,runtime}/**/*.test.ts',
  'test/cli/{benchmark,gateway-serve,priority,processes,scan-*,secrets,serve-*,sync-stop}.test.ts',
  'test/security/{capture-floods,egress-bombs,import-hostile,scans-hostile}.test.ts',
  'test/storage/{kill*,postgres,sqlite-files}.test.ts',
]
// These use up the memory of the grammars or start the library of them again, fill the memory of
// their process, or see its pauses.
const ALONE = [
  ...(deno === undefined ? [] : STARTING),
  'test/unit/scanner/*.test.ts',
  'test/storage/vulnerability-counts.test.ts',
  'test/runtime/rate-limit-served.test.ts',
]

// Bun's forks pool and Deno's threads pool are broken upstream; each runtime gets the pool it can run.
export default defineConfig({
  test: {
    pool: bun === undefined ? 'forks' : 'threads',
    // Many files wait for processes and clocks.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'sharing', isolate: false, include: SHARING, exclude: ALONE },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE },
      },
    ],
  },
})
