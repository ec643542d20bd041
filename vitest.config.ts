import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Bun's forks pool and Deno's threads pool are broken upstream; each runtime gets the pool it can run.
export default defineConfig({
  test: {
    pool: process.versions.bun === undefined ? 'forks' : 'threads',
    // By itself vitest leaves one core idle, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
