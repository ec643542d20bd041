import type { Kysely } from 'kysely'
import type { RateLimitStore, TakenRequests } from '../../../core/rate-limits/store.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Tokens of accounts, and what rate-limit tests have taken out of their budgets. */
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

    takeRequests(request) {
      const { claim, account, host, day, wanted } = request
      return engine.write(async (tx): Promise<TakenRequests> => {
        // All take these rows in this order, so that none waits for one who waits for it.
        const lost = await judgeClaim(engine, tx, claim)
        if (lost) return { count: 0, reason: lost }
        if (wanted <= 0) return { count: 0 }
        const counted = { engine, tx, day }
        const ofRun = await lockRun(counted, claim.id)
        const ofAccount = await lockDay(counted, { scope: 'account', name: account.id })
        const ofHost = await lockDay(counted, { scope: 'host', name: host })
        const left = [
          { reason: 'run', left: request.runBudget - ofRun },
          { reason: 'account', left: request.accountBudget - ofAccount },
          { reason: 'host', left: request.hostBudget - ofHost },
        ] as const
        const used = left.find((each) => each.left <= 0)
        if (used) return { count: 0, reason: used.reason }
        const count = Math.min(wanted, ...left.map((each) => each.left))
        await tx
          .updateTable('probe_run')
          .set({ taken: ofRun + count })
          .where('job_id', '=', claim.id)
          .execute()
        await setDay(counted, { scope: 'account', name: account.id, taken: ofAccount + count })
        await setDay(counted, { scope: 'host', name: host, taken: ofHost + count })
        return { count }
      })
    },

    async countDay(account, { host, day }) {
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
      const countOf = (scope: string) => rows.find((row) => row.scope === scope)?.taken ?? 0
      return { account: countOf('account'), host: countOf('host') }
    },

    async countRun(runId) {
      const row = await engine.db
        .selectFrom('probe_run')
        .select('taken')
        .where('job_id', '=', runId)
        .executeTakeFirst()
      return row?.taken ?? 0
    },
  }
}

/** Days that are over are kept for so long, should the clock be set back. */
const KEPT_DAYS_MS = 7 * 86_400_000

interface Counted {
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

/** Why a claim gives no right to take anything; undefined when it does. */
async function judgeClaim(
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

/** What the run has taken; nobody else changes it until the transaction ends. */
async function lockRun({ tx }: Counted, jobId: number): Promise<number> {
  await tx
    .insertInto('probe_run')
    .values({ job_id: jobId, taken: 0 })
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .execute()
  // The row of the job is locked, and with it this one.
  const row = await tx
    .selectFrom('probe_run')
    .select('taken')
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return row.taken
}

/** What was taken on the day, likewise. */
async function lockDay(
  { engine, tx, day }: Counted,
  of: { readonly scope: 'account' | 'host'; readonly name: string },
): Promise<number> {
  const added = await tx
    .insertInto('probe_day')
    .values({ ...of, day, taken: 0 })
    .onConflict((conflict) => conflict.columns(['scope', 'name', 'day']).doNothing())
    .executeTakeFirst()
  // Once a day for each name, which is as often as there is something to remove.
  if (added.numInsertedOrUpdatedRows === 1n) {
    await tx
      .deleteFrom('probe_day')
      .where('scope', '=', of.scope)
      .where('name', '=', of.name)
      .where('day', '<', toOldest(day))
      .execute()
  }
  const row = await tx
    .selectFrom('probe_day')
    .select('taken')
    .where('scope', '=', of.scope)
    .where('name', '=', of.name)
    .where('day', '=', day)
    .$if(engine.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  return row.taken
}

async function setDay(
  { tx, day }: Counted,
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

function toOldest(day: string): string {
  return new Date(Date.parse(day) - KEPT_DAYS_MS).toISOString().slice(0, 10)
}
