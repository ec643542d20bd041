import { expect } from 'vitest'

/**
 * Makes the first, the second, … of a write's calls of the driver fail until it goes through: each
 * time it has to say so, and to leave the state as it was; in the end, to change it.
 */
export async function failAtEachCall(given: {
  /** As of `openFaultySqlite`. */
  readonly failAt: (call: number | undefined) => void
  readonly write: () => Promise<unknown>
  readonly takeState: () => Promise<unknown>
}): Promise<void> {
  const { failAt, write, takeState } = given
  const before = await takeState()
  let failures = 0
  for (;;) {
    failAt(failures + 1)
    try {
      await write()
      break
    } catch (error) {
      failAt(undefined)
      expect(error).toMatchObject({ name: 'ServiceError', code: 'storage_unavailable' })
      expect(await takeState()).toEqual(before)
    }
    failures += 1
    expect(failures < 100).toBe(true)
  }
  failAt(undefined)
  expect(failures > 2).toBe(true)
  expect(await takeState()).not.toEqual(before)
}
