import type { TestBudget } from '../records.ts'
import type { RunTestRequest } from './run-test.ts'

/** How the requests that a run has left are shared out. */
export interface StagePlan {
  /** Requests of the ramp; what the later stages need is left. */
  readonly ramp: number
  /** The bodies to send, in bytes, in this order. */
  readonly payloads: readonly number[]
  /** The page sizes to ask for, in this order. */
  readonly pages: readonly number[]
}

/** After a stop a run sends so many single requests at most to see the target recover. */
export const MAX_RECOVERY_PROBES = 6

/** A ramp takes so long at most: what its rate cannot send in this time is not sent. */
export const MAX_RAMP_MS = 150_000

/**
 * Plans a run that has `left` requests: one in ten, six at most, for seeing it recover; one for each
 * doubling of the body from 1 KiB to the budget's; two for the page size. These together take a
 * third at most, the largest bodies first to fall away.
 */
export function planStages(
  takes: RunTestRequest['takes'],
  share: { readonly budget: TestBudget; readonly left: number },
): StagePlan {
  const { budget, left } = share
  const recovery = Math.min(MAX_RECOVERY_PROBES, Math.floor(left / 10))
  const room = Math.floor(left / 3) - recovery
  const pages = takes.page && room >= 2 ? [takes.page.size, takes.page.size * 10] : []
  const payloads = takes.payload ? toSizes(budget.payloadBytes) : []
  const kept = payloads.slice(0, Math.max(0, room - pages.length))
  return { ramp: Math.max(0, left - recovery - pages.length - kept.length), payloads: kept, pages }
}

function toSizes(cap: number): readonly number[] {
  const sizes: number[] = []
  for (let size = 1024; size < cap; size *= 2) sizes.push(size)
  return cap > 0 ? [...sizes, cap] : []
}
