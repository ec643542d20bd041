import { defineConfig } from 'vitest/config'

// Bun's forks pool and Deno's threads pool are broken upstream; each runtime gets the pool it can run.
export default defineConfig({
  test: {
    pool: process.versions.bun === undefined ? 'forks' : 'threads',
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
