import { describe, expect, it } from 'vitest'
import { createByteCache } from '../../../../core/vulnerabilities/search/index-reader.ts'

describe('createKept', () => {
  it('stays within its size and evicts the least recently used value', () => {
    const kept = createByteCache<string>(1000, (value) => value.length)
    for (const key of ['a', 'b', 'c']) kept.set(key, key.repeat(100))
    expect(kept.get('a')).toBe('a'.repeat(100))
    kept.set('d', 'd'.repeat(100))
    expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(kept.set('e', 'e'.repeat(1001))).toBe('e'.repeat(1001))
    expect(kept.get('e')).toBeUndefined()
    expect(kept.get('a')).toBe('a'.repeat(100))
  })

  it('shares a pending value with concurrent readers, and forgets failed ones', async () => {
    const kept = createByteCache<string>(1000, (value) => value.length)
    const reading = Promise.resolve('read')
    kept.set('a', reading)
    expect(kept.get('a')).toBe(reading)
    await reading
    expect(kept.get('a')).toBe('read')
    const failing = Promise.reject(new Error('away'))
    await expect(kept.set('b', failing)).rejects.toThrow('away')
    expect(kept.get('b')).toBeUndefined()
  })
})
