import { ensureBuild } from './helpers/build.ts'

// The example's own test imports the package by name, which must have been built by then.
await ensureBuild()
await import(new URL('../examples/custom-storage.test.ts', import.meta.url).href)
