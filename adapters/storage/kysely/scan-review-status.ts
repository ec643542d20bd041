import type { Kysely } from 'kysely'
import type { Approval, ReviewStatus, ScanApproval } from '../../../core/scans/records.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { selectDecidedRows } from './scan-decisions.ts'
import type { Tables } from './tables.ts'

/** A scan of an account, by its `position`. */
export interface ScanKey {
  readonly accountId: string
  readonly scan: number
}

/** The review status of a scan, derived from the decisions on its rows. */
export interface DerivedReviewStatus {
  readonly review_status: ReviewStatus
  readonly is_approved: ScanApproval
}

/** The stored review status. */
type StoredReviewStatus = Pick<Tables['scan'], keyof DerivedReviewStatus>

/** Derives the review status: rejected if any row is rejected, approved if all are approved. */
export async function deriveReviewStatus(
  tx: Kysely<Tables>,
  key: ScanKey,
): Promise<DerivedReviewStatus> {
  if (!(await hasDecided(tx, { ...key, approvals: ['yes', 'no'] }))) return NOT_STARTED
  const isOpen = await hasUnreviewed(tx, key)
  const isRefused = await hasDecided(tx, { ...key, approvals: ['no'] })
  return {
    review_status: isOpen ? 'in_progress' : 'complete',
    is_approved: isRefused ? 'no' : isOpen ? 'not_analyzed' : 'yes',
  }
}

/**
 * Updates the review status after rows were added at `from`: it can become incomplete or rejected.
 */
export async function updateReviewStatus(
  tx: Kysely<Tables>,
  added: ScanKey & { readonly from: number; readonly before: StoredReviewStatus },
): Promise<StoredReviewStatus> {
  const { review_status, is_approved } = added.before
  if (!(await hasDecided(tx, { ...added, approvals: ['yes', 'no'] }))) return added.before
  const isRefused = await hasDecided(tx, { ...added, approvals: ['no'] })
  const isOpen = await hasUnreviewed(tx, added)
  return {
    review_status: isOpen || review_status === 'not_started' ? 'in_progress' : review_status,
    is_approved: isRefused ? 'no' : isOpen && is_approved === 'yes' ? 'not_analyzed' : is_approved,
  }
}

const NOT_STARTED: DerivedReviewStatus = {
  review_status: 'not_started',
  is_approved: 'not_analyzed',
}

/** Uses the index alone: decisions may be on subjects that the scan does not contain (yet). */
async function hasDecided(
  tx: Kysely<Tables>,
  { accountId, scan, approvals }: ScanKey & { readonly approvals: readonly Approval[] },
): Promise<boolean> {
  const row = await tx
    .selectFrom('scan_decision as decision')
    .select('decision.method')
    .where('decision.account_id', '=', accountId)
    .where('decision.scan', '=', scan)
    .where('decision.approval', 'in', approvals)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('scan_row as next')
          .select('next.place')
          .where('next.account_id', '=', accountId)
          .where('next.scan', '=', scan)
          .whereRef('next.subject_digest', '=', 'decision.subject_digest')
          .whereRef('next.method', '=', 'decision.method'),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function hasUnreviewed(
  tx: Kysely<Tables>,
  { from = 0, ...key }: ScanKey & { readonly from?: number },
): Promise<boolean> {
  const pause = createYieldIfDue()
  for (let after = from - 1; ; ) {
    const last = await findChunkEnd(tx, { ...key, after })
    const until = last?.place ?? Number.MAX_SAFE_INTEGER
    if (await findUnreviewed(tx, { ...key, after, until })) return true
    if (!last) return false
    after = until
    await pause()
  }
}

/** About 10 ms of work. */
const ROWS_PER_CHUNK = 10_000

/** Finds the last row of the next chunk; undefined if fewer rows are left. */
function findChunkEnd(
  tx: Kysely<Tables>,
  { accountId, scan, after }: ScanKey & { readonly after: number },
) {
  return tx
    .selectFrom('scan_row')
    .select('place')
    .where('account_id', '=', accountId)
    .where('scan', '=', scan)
    .where('place', '>', after)
    .orderBy('place')
    .offset(ROWS_PER_CHUNK - 1)
    .limit(1)
    .executeTakeFirst()
}

function findUnreviewed(
  tx: Kysely<Tables>,
  { accountId, scan, after, until }: ScanKey & { readonly after: number; readonly until: number },
) {
  return selectDecidedRows(tx)
    .select('row.place')
    .where('row.account_id', '=', accountId)
    .where('row.scan', '=', scan)
    .where('row.place', '>', after)
    .where('row.place', '<=', until)
    .where((where) =>
      where.or([
        where('decision.approval', 'is', null),
        where('decision.approval', '=', 'unreviewed'),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
}
