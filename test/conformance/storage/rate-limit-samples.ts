import type { NewJob } from '../../../core/jobs/records.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { AddedRun } from '../../../core/rate-limits/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import { sampleJob } from './job-samples.ts'

/** A host with its port, and the time at which its runs are queued. */
export const HOST = 'api.example:443'
export const NOW = Date.UTC(2026, 2, 14, 8)

/** The job of a run. */
export function sampleRun(changes: Partial<NewJob> = {}): NewJob {
  return sampleJob({ kind: 'rate-limit-test', lock: HOST, createdAt: NOW, dueAt: NOW, ...changes })
}

/**
 * Counts the requests taken on a day, for an account and a host without open runs. The counts are
 * derived from the rejections of runs that exceed the budget.
 */
export async function countTaken(
  { rateLimits }: FullStorage,
  of: { readonly account: Account; readonly host: string; readonly day: string },
): Promise<{ readonly account: number; readonly host: number }> {
  const { account, host, day } = of
  const add = (lock: string, accountBudget: number) =>
    rateLimits.addRun(sampleRun({ accountId: account.id, lock }), {
      ...{ requests: BUDGET + 1, day, accountBudget, hostBudget: BUDGET },
    })
  return {
    account: toTaken(await add('none.example:1', BUDGET)),
    host: toTaken(await add(host, 3 * BUDGET)),
  }
}

const BUDGET = 1_000_000

function toTaken(added: AddedRun): number {
  if ('job' in added) throw new Error('A run was queued beyond its budget')
  return BUDGET - added.left - added.reserved
}
