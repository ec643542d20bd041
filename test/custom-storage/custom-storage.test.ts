import { describeStorage } from '../conformance/storage.ts'
import { createMemoryStorage } from './memory-storage.ts'

describeStorage('A storage with the required methods alone', {
  async open() {
    let now = Date.UTC(2026, 2, 14, 8)
    const storage = createMemoryStorage(() => now)
    const advance = (ms: number) => {
      now += ms
    }
    return { storage, advance, close: () => storage.close() }
  },
})
