import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const { bun, deno } = process.versions

// Run on Node alone: pages, texts and the order of search results, which no runtime changes. Of the
// console and the command line, Bun and Deno run the files without the mark.
const NODE_ONLY = [
  'test/**/*.node.test.ts',
  'test/architecture.test.ts',
  'test/browser/**/*.test.ts',
  'test/golden-queries/**/*.test.ts',
  'test/console/*/**/*.test.ts',
]
// Start processes: Deno's own process does not always end after them when files share it.
const PROCESS = [
  'test/**/*.process.test.ts',
  'test/{custom-storage.node,examples}.test.ts',
  'test/{golden-queries,package,runtime}/**/*.test.ts',
]
// Use up the memory of the grammars or load their library again, fill the memory of their process,
// or measure its pauses.
const ALONE = [
  'test/**/*.alone.{node.,}test.ts',
  'test/unit/scanner/*.test.ts',
  ...(deno === undefined ? [] : PROCESS),
]
const EXCLUDED = bun === undefined && deno === undefined ? [] : NODE_ONLY

// Bun's forks pool and Deno's threads pool are broken upstream; each runtime gets the pool it can run.
export default defineConfig({
  test: {
    pool: bun === undefined ? 'forks' : 'threads',
    // Many files wait for processes and clocks.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          // Files share processes: a process and all imports for each file take longer than most files.
          name: 'sharing',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...EXCLUDED],
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, exclude: EXCLUDED },
      },
    ],
  },
})
