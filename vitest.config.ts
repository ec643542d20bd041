import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests that leave nothing in their process: to start one for each file takes as long as they do.
const SHARING = ['test/{contract,unit}/**/*.test.ts']
// They use up the memory of the grammars, or start the library of them again.
const ALONE = ['test/unit/scanner/*.test.ts']

// Bun's forks pool and Deno's threads pool are broken upstream; each runtime gets the pool it can run.
export default defineConfig({
  test: {
    pool: process.versions.bun === undefined ? 'forks' : 'threads',
    // By itself vitest leaves one core idle, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'sharing', isolate: false, include: SHARING, exclude: ALONE },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/*.test.ts', 'test/!(contract|unit)/**/*.test.ts', ...ALONE],
        },
      },
    ],
  },
})
