import { describe, expect, it } from 'vitest'
import {
  acquireBuffer,
  isPooled,
  releaseBytes,
  transferBuffer,
} from '../../../core/shared/buffer-pool.ts'

describe('a pooled buffer', () => {
  it('is reused when all its bytes are released', () => {
    const buffer = acquireBuffer()
    const bytes = transferBuffer(buffer, buffer.subarray(0, 40_000))
    expect([bytes.length, isPooled(bytes)]).toEqual([40_000, true])
    releaseBytes(bytes)
    expect([isPooled(bytes), acquireBuffer() === buffer]).toEqual([false, true])
  })

  it('is not reused before', () => {
    const buffer = acquireBuffer()
    transferBuffer(buffer, buffer.subarray(0, 40_000))
    expect(acquireBuffer()).not.toBe(buffer)
  })

  it('is not released by a part of it', () => {
    const buffer = acquireBuffer()
    const bytes = transferBuffer(buffer, buffer.subarray(0, 40_000))
    releaseBytes(bytes.subarray(0, 20_000))
    releaseBytes(bytes.subarray())
    expect([isPooled(bytes), acquireBuffer() === buffer]).toEqual([true, false])
  })

  it('is released once, even by an earlier receiver', () => {
    const buffer = acquireBuffer()
    const former = transferBuffer(buffer, buffer.subarray(0, 40_000))
    releaseBytes(former)
    releaseBytes(former)
    expect(acquireBuffer()).toBe(buffer)
    const present = transferBuffer(buffer, buffer.subarray(0, 40_000))
    releaseBytes(former)
    expect([isPooled(present), acquireBuffer() === buffer]).toEqual([true, false])
  })
})
