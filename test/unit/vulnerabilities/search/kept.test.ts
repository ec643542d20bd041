import { describe, expect, it } from 'vitest'
import { createKept } from '../../../../core/vulnerabilities/search/kept.ts'

describe('createKept', () => {
  it('stays within its size and evicts the least recently used value', () => {
    const kept = createKept<string>(1000, (value) => value.length)
    for (const key of ['a', 'b', 'c']) kept.keep(key, key.repeat(100))
    expect(kept.find('a')).toBe('a'.repeat(100))
    kept.keep('d', 'd'.repeat(100))
    expect(['a', 'b', 'c', 'd'].map((key) => kept.find(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(kept.keep('e', 'e'.repeat(1001))).toBe('e'.repeat(1001))
    expect(kept.find('e')).toBeUndefined()
    expect(kept.find('a')).toBe('a'.repeat(100))
  })

  it('shares a pending value with concurrent readers, and forgets failed ones', async () => {
    const kept = createKept<string>(1000, (value) => value.length)
    const reading = Promise.resolve('read')
    kept.keep('a', reading)
    expect(kept.find('a')).toBe(reading)
    await reading
    expect(kept.find('a')).toBe('read')
    const failing = Promise.reject(new Error('away'))
    await expect(kept.keep('b', failing)).rejects.toThrow('away')
    expect(kept.find('b')).toBeUndefined()
  })
})
