import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { type AuditRow, createAudit } from '../../../core/gateway/audit.ts'
import type { LogValue } from '../../../core/ports/logger.ts'
import { createManualClock } from '../../helpers/random.ts'

const DAY_MS = 86_400_000

function toRow(number: number): AuditRow {
  return {
    account: { id: 'ada', name: 'Ada' },
    keyId: 'key_1',
    source: 'key',
    client: '',
    endpointId: number,
    endpoint: 'abcdefg',
    apiId: 1,
    method: 'GET',
    origin: 'https://api.example',
    startedAt: number,
    status: 200,
    failure: '',
    bytes: number,
    ms: 1,
  }
}

function openAudit() {
  const clock = createManualClock(100 * DAY_MS)
  const batches: (readonly AuditRow[])[] = []
  const swept: { readonly before: number; readonly limit: number }[] = []
  const logged: Record<string, LogValue>[] = []
  const state = { isDown: false, old: 0 }
  const audit = createAudit({
    store: {
      async saveCalls(calls) {
        await Promise.resolve()
        if (state.isDown) throw new ServiceError('storage_unavailable', 'down')
        batches.push(calls as readonly AuditRow[])
      },
      async sweepCalls(request) {
        swept.push(request)
        const removed = Math.min(state.old, request.limit)
        state.old -= removed
        return removed
      },
    },
    clock,
    logger: { log: (level, event, fields) => logged.push({ level, event, ...fields }) },
  })
  const add = (count: number, from = 0) => {
    for (let number = from; number < from + count; number += 1) audit.add(toRow(number))
  }
  const saved = () => batches.flat().map(({ endpointId }) => endpointId)
  return { audit, add, saved, batches, swept, logged, state, clock }
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

describe('audit', () => {
  it('stores rows in order, shortly after they arrive', async () => {
    const { add, saved } = openAudit()
    add(3)
    expect(saved()).toEqual([])
    for (let wait = 0; wait < 100 && saved().length === 0; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(saved()).toEqual([0, 1, 2])
  })

  it('stores a full batch at once, and the rest later', async () => {
    const { audit, add, batches, saved } = openAudit()
    add(4100)
    await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(batches.map(({ length }) => length)).toEqual([2000])
    await audit.flush()
    expect(batches.map(({ length }) => length)).toEqual([2000, 2000, 100])
    expect(saved()).toEqual(upTo(4100))
  })

  it('retains rows that could not be stored, and logs that without their content', async () => {
    const { audit, add, saved, logged, state } = openAudit()
    state.isDown = true
    add(3)
    await audit.flush()
    expect(saved()).toEqual([])
    expect(logged).toEqual([
      { level: 'error', event: 'calls_not_saved', calls: 3, reason: 'storage_unavailable' },
    ])
    state.isDown = false
    add(2, 3)
    await audit.flush()
    expect(saved()).toEqual(upTo(5))
    await audit.flush()
    expect(saved()).toEqual(upTo(5))
  })

  it('drops the oldest rows if too many are buffered', async () => {
    const { audit, add, saved, logged, state } = openAudit()
    state.isDown = true
    add(20_001)
    state.isDown = false
    await audit.flush()
    await audit.flush()
    expect(saved().at(-1)).toBe(20_000)
    expect(saved().length <= 10_500).toBe(true)
    expect(logged.some(({ event }) => event === 'calls_given_up')).toBe(true)
  })

  it('removes rows older than 90 days once an hour, and with each batch if more are due', async () => {
    const { audit, add, swept, state, clock } = openAudit()
    state.old = 1500
    const request = { before: 10 * DAY_MS, limit: 1000 }
    for (const _ of [1, 2, 3]) {
      add(1)
      await audit.flush()
    }
    expect(swept).toEqual([request, request])
    clock.advance(3_600_000)
    add(1)
    await audit.flush()
    expect(swept).toEqual([request, request, { ...request, before: 10 * DAY_MS + 3_600_000 }])
  })

  it('starts no timer after it is closed', async () => {
    const { audit, add, saved } = openAudit()
    audit.close()
    add(600)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(saved()).toEqual([])
  })
})
