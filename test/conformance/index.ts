export { describeRuntime } from './runtime.ts'
export type { RuntimeTimes, StartedRuntime, StartRuntime } from './runtime-start.ts'
export { describeStorage, type StorageUnderTest } from './storage.ts'
