import { describe, expect, it } from 'vitest'
import { createFetchEgress, createPinnedEgress } from '../../../adapters/egress/index.ts'
import { EGRESS_LIMITS } from '../../../core/egress/limits.ts'
import type { Egress } from '../../../core/ports/egress.ts'

const OPTIONS = { allow: ['api.internal:8443'], limits: { totalMs: 5000 } }

const EGRESSES: readonly (readonly [string, () => Egress])[] = [
  ['pinned', () => createPinnedEgress({ ...OPTIONS, resolve: refuseToResolve })],
  ['by fetch', () => createFetchEgress({ ...OPTIONS, fetch: refuseToResolve })],
]

async function refuseToResolve(): Promise<never> {
  throw new Error('nothing is to be looked up')
}

describe.each(EGRESSES)('an egress, %s', (_, create) => {
  it.each([
    ['https://api.example.com/v1', undefined],
    ['https://api.internal:8443/', undefined],
    ['https://api.internal/', 'refused_url'],
    ['http://127.0.0.1/', 'refused_address'],
    ['https://api.example.com:22/', 'refused_url'],
    ['https://ada:secret@api.example.com/', 'refused_url'],
    ['ftp://api.example.com/', 'refused_url'],
    ['/v1', 'refused_url'],
  ])('checks %s without a lookup', (url, failure) => {
    const refusal = create().check?.(url)
    expect(refusal?.failure).toBe(failure)
    expect(refusal?.message ?? '').not.toContain('secret')
  })

  it('exposes its limits', () => {
    expect(create().limits).toEqual({ ...EGRESS_LIMITS, totalMs: 5000 })
  })
})
