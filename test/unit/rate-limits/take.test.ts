import { expect, it } from 'vitest'
import { createRequestTaker } from '../../../core/rate-limits/request-taker.ts'
import { createVirtualClock } from '../../helpers/limiters/virtual-clock.ts'
import { HOST } from '../../helpers/rate-limit-bench.ts'

it('counts requests on the day they were taken, and discards those left over at midnight', async () => {
  const virtual = createVirtualClock(Date.parse('2026-03-14T23:59:59.950Z'))
  const asked: string[] = []
  const taker = createRequestTaker({
    store: {
      async takeRequests({ day, wanted }) {
        asked.push(`${day} ${wanted}`)
        return { count: wanted }
      },
    },
    calls: { take: async () => undefined },
    claim: { id: 1, fence: 1 },
    account: { id: 'ada', name: 'Ada' },
    host: HOST,
    budget: { requests: 100, rate: 50, payloadBytes: 0 },
    daily: { account: 2000, host: 2000 },
    clock: virtual.clock,
    timers: virtual.timers,
  })
  await virtual.run(async () => {
    expect(await taker.take()).toBe(true)
    await virtual.timers.sleep(100)
    expect(await taker.take()).toBe(true)
  })
  expect(asked).toEqual(['2026-03-14 10', '2026-03-15 0', '2026-03-15 10'])
  expect(taker.unused).toBe(18)
})
