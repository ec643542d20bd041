import { describe, expect, it } from 'vitest'
import { createStager } from '../../../../core/vulnerabilities/loading/stager.ts'
import type { Load, StagedRecord } from '../../../../core/vulnerabilities/store.ts'

const RECORD = { line: '{}', products: '', detail: '' }

/** A load whose transactions end when the test says so. */
function openSlowLoad() {
  const stored: StagedRecord[] = []
  const running: { readonly end: () => void; readonly fail: (reason: Error) => void }[] = []
  const load: Pick<Load, 'stage' | 'renew' | 'nextRowId'> = {
    nextRowId: 10,
    renew: async () => {},
    stage: ({ records }) =>
      new Promise<void>((resolve, reject) => {
        const end = () => {
          stored.push(...records)
          resolve()
        }
        running.push({ end, fail: reject })
      }),
  }
  const stager = createStager(load as Load, 'nvd')
  return {
    stager,
    stored,
    running,
    add(count: number) {
      for (let number = 0; number < count; number += 1) stager.add(RECORD)
    },
  }
}

describe('Records of a load', () => {
  it('are added while a transaction writes those before, and found until it ends', async () => {
    const { stager, stored, running, add } = openSlowLoad()
    add(200)
    await stager.flushWhenFull()
    add(50)
    expect([running.length, stored.length, stager.nextRowId]).toEqual([1, 0, 260])
    expect(stager.find(10)).toMatchObject({ rowId: 10 })
    expect(stager.find(209)).toMatchObject({ rowId: 209 })
    expect(stager.find(210)).toMatchObject({ rowId: 210 })
    expect([stager.find(9), stager.find(260)]).toEqual([undefined, undefined])
    const rest = stager.flush()
    running[0]?.end()
    await expect.poll(() => running.length).toBe(2)
    running[1]?.end()
    await rest
    expect(stored.map(({ rowId }) => rowId)).toEqual(
      Array.from({ length: 250 }, (_, at) => 10 + at),
    )
  })

  it('are not written after a transaction that failed', async () => {
    const { stager, running, add } = openSlowLoad()
    add(200)
    await stager.flushWhenFull()
    add(400)
    running[0]?.fail(new Error('The disk is full'))
    await stager.settle()
    await expect(stager.flushWhenFull()).rejects.toThrow('The disk is full')
    await expect(stager.flush()).rejects.toThrow('The disk is full')
    expect(running).toHaveLength(1)
  })
})
