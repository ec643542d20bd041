import { type Kysely, type SqlBool, sql } from 'kysely'
import type { NewReview } from '../../../core/scans/records.ts'
import type { RowDecision, ScanStore } from '../../../core/scans/store.ts'
import { hash53 } from '../../../core/shared/ids.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { lockScan, toScanKeyColumns, toStoredScan } from './scan-lists.ts'
import { deriveReviewStatus, type ScanKey } from './scan-review-status.ts'
import { countGroupsOf } from './scan-usage-groups.ts'
import { applyDecisions, countUsages } from './scan-usages.ts'
import { refreshStatistics } from './statistics.ts'
import type { Tables } from './tables.ts'

/** Stores review decisions on scans. */
export function createScanReviewStore(engine: Engine): Pick<ScanStore, 'review'> {
  return {
    async review(account, { scan: name, review }) {
      const reviewed = await engine.write(async (tx) => {
        const found = await lockScan(engine, tx, toScanKeyColumns(account, name))
        if (!found) return undefined
        const key = { accountId: account.id, scan: found.position }
        const { decisions, unknown } = await resolveDecisions(tx, { ...key, review })
        if (unknown.length > 0) return { scan: toStoredScan(found), decisions: [], unknown }
        await saveDecisions(tx, { ...key, decisions })
        if (decisions.length > 0) {
          const digests = [...new Set(decisions.map(({ subject }) => hash53(subject)))]
          await applyDecisions(tx, { ...key, part: 0 })
          await countUsages(tx, key)
          await countGroupsOf(engine, tx, { ...key, digests })
        }
        const derived = decisions.length > 0 ? await deriveReviewStatus(tx, key) : found
        const changes = {
          ...toReviewStatus(review, derived),
          reviewed_by: review.by,
          reviewed_at: review.at,
        }
        await tx
          .updateTable('scan')
          .set(changes)
          .where('account_id', '=', account.id)
          .where('position', '=', found.position)
          .execute()
        return { scan: toStoredScan({ ...found, ...changes }), decisions, unknown }
      })
      const rows = reviewed?.decisions.length ?? 0
      await refreshStatistics(engine, { tables: ['scan_decision'], rows })
      return reviewed
    },
  }
}

/** Returns the review's own status of the scan, else the status derived from the decisions. */
function toReviewStatus(
  review: NewReview,
  derived: Pick<Tables['scan'], 'review_status' | 'is_approved'>,
) {
  const { reviewStatus, isApproved } = review
  const isSettled = isApproved === 'yes' || isApproved === 'no'
  return {
    review_status: reviewStatus ?? (isSettled ? 'complete' : derived.review_status),
    is_approved: isApproved ?? derived.is_approved,
  }
}

/** Finds the methods of the reviewed rows. If a row is listed twice, the last decision wins. */
async function resolveDecisions(
  tx: Kysely<Tables>,
  { accountId, scan, review }: ScanKey & { readonly review: NewReview },
): Promise<{ readonly decisions: readonly RowDecision[]; readonly unknown: readonly string[] }> {
  const { by, at } = review
  const decisions = new Map<string, RowDecision>()
  const unknown: string[] = []
  const pause = createYieldIfDue()
  for (const { subject, method, approval, reason } of review.rows) {
    const found = await findMethods(tx, { accountId, scan, subject, method })
    if (found.length === 0) unknown.push(subject)
    for (const each of found) {
      const decision = { subject, method: each, approval, reason, by, at }
      // Keyed as in storage: if subjects share a digest, which only occurs deliberately, the last
      // one wins.
      decisions.set(`${each} ${hash53(subject)}`, decision)
    }
    await pause()
  }
  return { decisions: [...decisions.values()], unknown }
}

/** Lists the methods of a subject's rows, or checks the requested one. Reads one row per method. */
async function findMethods(
  tx: Kysely<Tables>,
  wanted: ScanKey & { readonly subject: string; readonly method: string | undefined },
): Promise<readonly string[]> {
  const { subject, method } = wanted
  const found: string[] = []
  let after = { method: method ?? '', place: -1 }
  for (;;) {
    const row = await findNextRow(tx, { ...wanted, after })
    if (!row || (method !== undefined && row.method !== method)) return found
    // Another text may have the same digest.
    const isMeant = row.subject === subject
    if (isMeant) found.push(row.method)
    after = { method: row.method, place: isMeant ? Number.MAX_SAFE_INTEGER : row.place }
  }
}

/** Uses the index alone: planners without statistics would read the whole scan. */
function findNextRow(
  tx: Kysely<Tables>,
  position: ScanKey & {
    readonly subject: string
    readonly after: { readonly method: string; readonly place: number }
  },
) {
  const { accountId, scan, subject, after } = position
  return tx
    .selectFrom('scan_row')
    .select(['method', 'place', 'subject'])
    .where('account_id', '=', accountId)
    .where('scan', '=', scan)
    .where('place', '=', (from) =>
      from
        .selectFrom('scan_row as next')
        .select('next.place')
        .where('next.account_id', '=', accountId)
        .where('next.scan', '=', scan)
        .where('next.subject_digest', '=', hash53(subject))
        .where(sql<SqlBool>`(next.method, next.place) > (${after.method}, ${after.place})`)
        .orderBy('next.method')
        .orderBy('next.place')
        .limit(1),
    )
    .executeTakeFirst()
}

async function saveDecisions(
  tx: Kysely<Tables>,
  { accountId, scan, decisions }: ScanKey & { readonly decisions: readonly RowDecision[] },
): Promise<void> {
  for (const piece of inChunks(decisions, 100)) {
    await tx
      .insertInto('scan_decision')
      .values(
        piece.map((decision) => ({
          account_id: accountId,
          scan,
          subject_digest: hash53(decision.subject),
          method: decision.method,
          subject: decision.subject,
          approval: decision.approval,
          reason: decision.reason,
          decided_by: decision.by,
          decided_at: decision.at ?? 0,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'scan', 'subject_digest', 'method']).doUpdateSet((set) => ({
          subject: set.ref('excluded.subject'),
          approval: set.ref('excluded.approval'),
          reason: set.ref('excluded.reason'),
          decided_by: set.ref('excluded.decided_by'),
          decided_at: set.ref('excluded.decided_at'),
        })),
      )
      .execute()
  }
}
