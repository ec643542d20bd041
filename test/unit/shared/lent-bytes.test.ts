import { describe, expect, it } from 'vitest'
import { giveBack, isLent, lend, takeBuffer } from '../../../core/shared/lent-bytes.ts'

describe('a pooled buffer', () => {
  it('is reused when all its bytes are released', () => {
    const buffer = takeBuffer()
    const bytes = lend(buffer, buffer.subarray(0, 40_000))
    expect([bytes.length, isLent(bytes)]).toEqual([40_000, true])
    giveBack(bytes)
    expect([isLent(bytes), takeBuffer() === buffer]).toEqual([false, true])
  })

  it('is not reused before', () => {
    const buffer = takeBuffer()
    lend(buffer, buffer.subarray(0, 40_000))
    expect(takeBuffer()).not.toBe(buffer)
  })

  it('is not released by a part of it', () => {
    const buffer = takeBuffer()
    const bytes = lend(buffer, buffer.subarray(0, 40_000))
    giveBack(bytes.subarray(0, 20_000))
    giveBack(bytes.subarray())
    expect([isLent(bytes), takeBuffer() === buffer]).toEqual([true, false])
  })

  it('is released once, even by an earlier receiver', () => {
    const buffer = takeBuffer()
    const former = lend(buffer, buffer.subarray(0, 40_000))
    giveBack(former)
    giveBack(former)
    expect(takeBuffer()).toBe(buffer)
    const present = lend(buffer, buffer.subarray(0, 40_000))
    giveBack(former)
    expect([isLent(present), takeBuffer() === buffer]).toEqual([true, false])
  })
})
