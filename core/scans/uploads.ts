import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Account } from '../shared/account.ts'
import { type ContentDigest, startDigest } from '../shared/digests.ts'
import type { Analysis } from './analysis.ts'
import { createScanNotFoundError } from './reads.ts'
import type { ScanStatus } from './records.ts'
import type { NewScan, ScanName, ScanStore, StoredBatch, Upload, UploadResult } from './store.ts'
import type { UnmatchedRow } from './stored-rows.ts'

/** Limits on stored scans. */
export interface ScanLimits {
  /** Maximum rows of a scan, including all batches; 1,000,000 by default, at most 4,000,000. */
  readonly maxRows?: number
  /** Maximum scans of an account; 10,000 by default. */
  readonly maxScans?: number
}

/** One upload: a whole project scan, or a batch of a network scan. */
export interface UploadJob {
  readonly scan: NewScan | ScanName
  /** Content of the request without its rows; part of the digest. */
  readonly head: unknown
  readonly rows: AsyncIterable<unknown>
  /** Converts a sent row to its stored form. */
  readonly toRow: (row: never) => UnmatchedRow
  /**
   * Keys that identify a repeat before its rows are read; defaults to the digest of the content.
   */
  readonly keys: readonly string[]
  /** Additional keys that identify repeats after publication. */
  readonly moreKeys: readonly string[]
  /** Status of the scan; set for batches of an existing scan. */
  readonly status?: ScanStatus | undefined
  readonly endedAt?: number | null | undefined
}

/** Stores uploads. */
export interface Uploads {
  /** Stores an upload atomically. For a repeat, returns the result of the first upload. */
  store(account: Account, job: UploadJob): Promise<StoredBatch>
}

/** Creates the service for uploads. */
export function createUploads(deps: {
  readonly store: ScanStore
  readonly analysis: Pick<Analysis, 'start'>
  readonly limits: ScanLimits
  readonly clock: Clock
}): Uploads {
  const { store, analysis, clock } = deps
  const { maxRows = 1_000_000, maxScans = 10_000 } = deps.limits
  if (!(maxRows > 0 && maxRows <= MAX_ROWS)) {
    throw new RangeError(`Invalid "maxRows": must be from 1 to ${MAX_ROWS}, but is ${maxRows}`)
  }

  function rejectTooManyRows(rows: number): void {
    if (rows <= maxRows) return
    const detail = `Cannot store the scan: at most ${maxRows} rows are accepted`
    throw new ServiceError('too_large', detail)
  }

  async function rejectFullAccount(account: Account): Promise<void> {
    if ((await store.count(account)) < maxScans) return
    throw new ServiceError(
      'conflict',
      `Cannot store the scan: the account already has ${maxScans} scans. Remove some`,
    )
  }

  async function findKnownBatch(account: Account, keys: readonly string[]) {
    for (const key of keys) {
      const part = await store.findBatch(account, key)
      if (part) return part
    }
    return undefined
  }

  /** Compares a repeat with the stored upload; throws `conflict` if the content differs. */
  async function compareRepeat(known: StoredBatch, job: UploadJob): Promise<StoredBatch> {
    const digest = await startDigest(job.head)
    let rows = 0
    for await (const batch of inBatches(job.rows, BATCH_ROWS)) {
      rows += batch.length
      rejectTooManyRows(rows)
      await digest.add(batch)
    }
    return rejectDifferentContent(known, digest)
  }

  async function beginUpload(account: Account, { scan }: UploadJob) {
    if ('group' in scan) await rejectFullAccount(account)
    const upload = await store.beginUpload(account, { scan, at: clock() })
    if (upload) return upload
    throw createScanNotFoundError(scan)
  }

  async function stageRows(
    account: Account,
    upload: Upload,
    job: UploadJob,
  ): Promise<UploadResult> {
    const digest = await startDigest(job.head)
    const { generation, match } = await analysis.start(job.scan.kind)
    const before = 'group' in job.scan ? 0 : ((await store.find(account, job.scan))?.rows ?? 0)
    const apiIds = new Set<number>()
    let first = 0
    let matched = 0
    for await (const batch of inBatches(job.rows, BATCH_ROWS)) {
      rejectTooManyRows(before + first + batch.length)
      await digest.add(batch)
      const rows = batch.map((sent) => {
        const row = job.toRow(sent as never)
        const found = match(row)
        if (found.match) {
          matched += 1
          apiIds.add(found.match.apiId)
        }
        return { ...row, ...found }
      })
      await store.saveRows(account, { upload, first, at: clock(), rows })
      first += rows.length
    }
    const isKeyed = job.keys.length > 0
    return {
      keys: [...(isKeyed ? job.keys : [toDigestKey(job, digest)]), ...job.moreKeys],
      digest: digest.value(),
      rows: first,
      matched,
      apiIds: [...apiIds],
      generation,
      status: job.status,
      endedAt: job.endedAt,
      at: clock(),
    }
  }

  return {
    async store(account, job) {
      const known = await findKnownBatch(account, job.keys)
      if (known) return compareRepeat(known, job)
      const upload = await beginUpload(account, job)
      let isPublished = false
      try {
        const end = await stageRows(account, upload, job)
        const { isNew, part } = await store.publish(account, { upload, end })
        isPublished = isNew
        return isNew ? part : rejectDifferentContent(part, { value: () => end.digest })
      } finally {
        // A failed removal is left to a later sweep: the original error is thrown.
        if (!isPublished) await store.discard(account, upload).catch(() => undefined)
      }
    },
  }
}

/** Keeps storage work for a batch at 20 to 30 ms. */
const BATCH_ROWS = 1000
const MAX_ROWS = 4_000_000

function toDigestKey({ scan }: UploadJob, digest: ContentDigest): string {
  return `digest ${scan.kind} ${'group' in scan ? '' : scan.id} ${digest.value()}`
}

function rejectDifferentContent(
  part: StoredBatch,
  digest: Pick<ContentDigest, 'value'>,
): StoredBatch {
  if (part.digest === digest.value()) return part
  throw new ServiceError(
    'conflict',
    'Cannot store the scan: its key or batch number was used for different content',
  )
}

/** Yields rows in order of arrival, in batches small enough for one short transaction. */
async function* inBatches<Row>(
  rows: AsyncIterable<Row>,
  size: number,
): AsyncIterable<readonly Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
