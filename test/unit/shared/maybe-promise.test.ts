import { describe, expect, it } from 'vitest'
import { chain } from '../../../core/shared/maybe-promise.ts'

describe('chain', () => {
  it('continues synchronously with a value, and later with a promise', async () => {
    expect(chain(2, (value) => value + 1)).toBe(3)
    expect(await chain(Promise.resolve(2), (value) => value + 1)).toBe(3)
  })
})
