import type { TestBudget } from '../records.ts'
import type { RunTestRequest } from './run-test.ts'

/** Distribution of the remaining requests over the stages. */
export interface StagePlan {
  /** Number of ramp requests, after reserving those of later stages. */
  readonly ramp: number
  /** Body sizes in bytes, in this order. */
  readonly payloads: readonly number[]
  /** Page sizes, in this order. */
  readonly pages: readonly number[]
}

/** Maximum number of requests to observe recovery. */
export const MAX_RECOVERY_PROBES = 6

/** Maximum duration of a ramp. Requests that its rate cannot send in this time are dropped. */
export const MAX_RAMP_MS = 150_000

/**
 * Plans a run with `left` requests. Recovery gets one in ten, at most six. Bodies double from 1 KiB
 * to the budget's maximum, one request each. The page size gets two requests. Together they use at
 * most a third of `left`; the largest bodies are dropped first.
 */
export function planStages(
  takes: RunTestRequest['supports'],
  share: { readonly budget: TestBudget; readonly left: number },
): StagePlan {
  const { budget, left } = share
  const recovery = Math.min(MAX_RECOVERY_PROBES, Math.floor(left / 10))
  const room = Math.floor(left / 3) - recovery
  const pages = takes.page && room >= 2 ? [takes.page.size, takes.page.size * 10] : []
  const payloads = takes.payload ? toPayloadSizes(budget.payloadBytes) : []
  const kept = payloads.slice(0, Math.max(0, room - pages.length))
  return { ramp: Math.max(0, left - recovery - pages.length - kept.length), payloads: kept, pages }
}

function toPayloadSizes(cap: number): readonly number[] {
  const sizes: number[] = []
  for (let size = 1024; size < cap; size *= 2) sizes.push(size)
  return cap > 0 ? [...sizes, cap] : []
}
