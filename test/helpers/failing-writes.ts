import { expect } from 'vitest'

/**
 * Fails the first, then the second, … driver call of a write until it succeeds. Each failed write
 * must throw and leave the state unchanged; the last one must change it.
 */
export async function failAtEachCall(given: {
  /** See `openFaultySqlite`. */
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
