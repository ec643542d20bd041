import { describe, expect, it } from 'vitest'
import { whenReady } from '../../../core/shared/eventual.ts'

describe('whenReady', () => {
  it('goes on at once with a value, and later with a promise', async () => {
    expect(whenReady(2, (value) => value + 1)).toBe(3)
    expect(await whenReady(Promise.resolve(2), (value) => value + 1)).toBe(3)
  })
})
