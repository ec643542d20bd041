import type { Kysely } from 'kysely'
import type { AddedRun, RateLimitStore, TakenRequests } from '../../../core/rate-limits/store.ts'
import { insertJob, rejectTakenLock, takeNumber } from './add-job.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Stores consent tokens of accounts, and the budget usage of rate-limit tests. */
export function createRateLimitStore(engine: Engine, now: () => number): RateLimitStore {
  return {
    async getConsentToken(account, fresh) {
      const known = await findToken(engine.db, account.id)
      if (known !== undefined) return known
      return engine.write(async (tx) => {
        await tx
          .insertInto('probe_token')
          .values({ account_id: account.id, token: fresh, created_at: now() })
          .onConflict((conflict) => conflict.column('account_id').doNothing())
          .execute()
        return (await findToken(tx, account.id)) ?? fresh
      })
    },

    async addRun(job, { requests, day, accountBudget, hostBudget }) {
      await rejectTakenLock(engine.db, job)
      try {
        return await engine.write(async (tx): Promise<AddedRun> => {
          const counted = { engine, tx, day }
          // Until the transaction ends, this lock prevents the account from adding other runs, on
          // any day.
          const number = await takeNumber(tx, job)
          // This lock prevents the account from taking requests.
          const ofAccount = await lockDay(counted, { scope: 'account', name: job.accountId })
          const reserved = await sumReserved(tx, job.accountId)
          const left = accountBudget - ofAccount - reserved
          if (left < requests) throw new BudgetExceeded({ short: 'account', left, reserved })
          const added = await insertJob(tx, { job, number })
          await tx
            .insertInto('probe_run')
            .values({ job_id: added.id, budget: requests, taken: 0 })
            .execute()
          const ofHost = await lockDay(counted, { scope: 'host', name: job.lock })
          const leftOfHost = hostBudget - ofHost
          if (leftOfHost >= requests) return { job: added }
          throw new BudgetExceeded({ short: 'host', left: leftOfHost, reserved: 0 })
        })
      } catch (error) {
        if (error instanceof BudgetExceeded) return error.found
        throw error
      }
    },

    takeRequests(request) {
      const { claim, account, host, day, wanted } = request
      return engine.write(async (tx): Promise<TakenRequests> => {
        // All transactions lock these rows in this order, which prevents deadlocks.
        const lost = await findClaimLoss(engine, tx, claim)
        if (lost) return { count: 0, reason: lost }
        if (wanted <= 0) return { count: 0 }
        const counted = { engine, tx, day }
        const run = await readRun(tx, claim.id)
        const ofAccount = await lockDay(counted, { scope: 'account', name: account.id })
        const ofHost = await lockDay(counted, { scope: 'host', name: host })
        const left = [
          { reason: 'run', left: run.budget - run.taken },
          { reason: 'account', left: request.accountBudget - ofAccount },
          { reason: 'host', left: request.hostBudget - ofHost },
        ] as const
        const used = left.find((each) => each.left <= 0)
        if (used) return { count: 0, reason: used.reason }
        const count = Math.min(wanted, ...left.map((each) => each.left))
        await tx
          .updateTable('probe_run')
          .set({ taken: run.taken + count })
          .where('job_id', '=', claim.id)
          .execute()
        await setDay(counted, { scope: 'account', name: account.id, taken: ofAccount + count })
        await setDay(counted, { scope: 'host', name: host, taken: ofHost + count })
        return { count }
      })
    },

    async readDay({ account, host, day }) {
      const rows = await engine.db
        .selectFrom('probe_day')
        .select(['scope', 'taken'])
        .where('day', '=', day)
        .where((where) =>
          where.or([
            where.and({ scope: 'account', name: account.id }),
            where.and({ scope: 'host', name: host }),
          ]),
        )
        .execute()
      const of = (scope: string) => rows.find((row) => row.scope === scope)?.taken ?? 0
      const reserved = await sumReserved(engine.db, account.id)
      return { ofAccount: of('account'), reserved, ofHost: of('host') }
    },

    async countRuns(jobIds) {
      if (jobIds.length === 0) return new Map()
      const rows = await engine.db
        .selectFrom('probe_run')
        .select(['job_id', 'taken'])
        .where('job_id', 'in', jobIds)
        .execute()
      return new Map(rows.map((row) => [row.job_id, row.taken]))
    },
  }
}

/** Retention of past days, in case the clock is set back. */
const DAY_RETENTION_MS = 7 * 86_400_000

/** Rolls back a transaction whose run exceeds the remaining budget. */
class BudgetExceeded extends Error {
  readonly found: Exclude<AddedRun, { readonly job: unknown }>

  constructor(found: BudgetExceeded['found']) {
    super(`The budget of the ${found.short} has ${found.left} left`)
    this.found = found
  }
}

interface BudgetDay {
  readonly engine: Engine
  readonly tx: Kysely<Tables>
  readonly day: string
}

async function findToken(db: Kysely<Tables>, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('probe_token')
    .select('token')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.token
}

/** Returns why a claim is no longer valid; undefined if it is. */
async function findClaimLoss(
  { kind }: Engine,
  tx: Kysely<Tables>,
  claim: { readonly id: number; readonly fence: number },
): Promise<'lost' | 'cancelled' | undefined> {
  const job = await tx
    .selectFrom('job')
    .select(['state', 'fence', 'is_cancelled'])
    .where('position', '=', claim.id)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (job?.state !== 'running' || job.fence !== claim.fence) return 'lost'
  return job.is_cancelled === 0 ? undefined : 'cancelled'
}

/** Returns the unused requests that are reserved for open runs of the account. */
async function sumReserved(tx: Kysely<Tables>, accountId: string): Promise<number> {
  const row = await tx
    .selectFrom('job')
    .innerJoin('probe_run', 'probe_run.job_id', 'job.position')
    .select((select) =>
      select.fn
        .sum<number | string | null>(select('probe_run.budget', '-', select.ref('probe_run.taken')))
        .as('reserved'),
    )
    .where('job.account_id', '=', accountId)
    .where('job.claim_at', 'is not', null)
    .executeTakeFirst()
  return Number(row?.reserved ?? 0)
}

/** Returns limit and usage of a run. Its job's row is locked, and thereby this one. */
async function readRun(
  tx: Kysely<Tables>,
  jobId: number,
): Promise<{ readonly budget: number; readonly taken: number }> {
  const row = await tx
    .selectFrom('probe_run')
    .select(['budget', 'taken'])
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row ?? { budget: 0, taken: 0 }
}

/** Returns the usage of a day, and locks it until the transaction ends. */
async function lockDay(
  { engine, tx, day }: BudgetDay,
  budget: { readonly scope: 'account' | 'host'; readonly name: string },
): Promise<number> {
  const added = await tx
    .insertInto('probe_day')
    .values({ ...budget, day, taken: 0 })
    .onConflict((conflict) => conflict.columns(['scope', 'name', 'day']).doNothing())
    .executeTakeFirst()
  // Once a day for each name, as often as there is something to remove.
  if (added.numInsertedOrUpdatedRows === 1n) {
    await tx
      .deleteFrom('probe_day')
      .where('scope', '=', budget.scope)
      .where('name', '=', budget.name)
      .where('day', '<', toOldestDay(day))
      .execute()
  }
  const row = await tx
    .selectFrom('probe_day')
    .select('taken')
    .where('scope', '=', budget.scope)
    .where('name', '=', budget.name)
    .where('day', '=', day)
    .$if(engine.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  return row.taken
}

async function setDay(
  { tx, day }: BudgetDay,
  {
    scope,
    name,
    taken,
  }: { readonly scope: 'account' | 'host'; readonly name: string; readonly taken: number },
): Promise<void> {
  await tx
    .updateTable('probe_day')
    .set({ taken })
    .where('scope', '=', scope)
    .where('name', '=', name)
    .where('day', '=', day)
    .execute()
}

function toOldestDay(day: string): string {
  return new Date(Date.parse(day) - DAY_RETENTION_MS).toISOString().slice(0, 10)
}
