import { describe, expect, it } from 'vitest'
import { createRevisionTags } from '../../../core/http/revision-tags.ts'

describe('revision tags', () => {
  it('always read the current one, and a recent one again after our own change', () => {
    let generation = 1
    const tags = createRevisionTags('0.1.0-c', () => String(generation))
    expect(tags.recent()).toBe('"0.1.0-c1"')
    generation = 2
    expect(tags.current()).toBe('"0.1.0-c2"')
    tags.invalidate()
    expect(tags.recent()).toBe('"0.1.0-c2"')
  })

  it('read a recent one again after a while', async () => {
    let generation = 1
    const tags = createRevisionTags('0.1.0-c', () => Promise.resolve(String(generation)))
    expect(await tags.recent()).toBe('"0.1.0-c1"')
    generation = 2
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await tags.recent()).toBe('"0.1.0-c2"')
  })
})
