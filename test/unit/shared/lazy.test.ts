import { expect, it } from 'vitest'
import { memoizeLoad } from '../../../core/shared/memoize.ts'

it('loads once for all callers, and again after a failed load', async () => {
  let loads = 0
  let isAway = true
  const read = memoizeLoad(async () => {
    loads += 1
    if (isAway) throw new Error('The file is away')
    return { number: loads }
  })
  const first = await Promise.allSettled([read(), read()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(loads).toBe(1)
  isAway = false
  const [one, two] = await Promise.all([read(), read()])
  expect([one, await read()]).toEqual([{ number: 2 }, two])
  expect(one).toBe(two)
})
