import type { FullStorage } from '../../../core/ports/storage.ts'
import type {
  NewScan,
  NewScanRow,
  ScanName,
  ScanStore,
  StoredRow,
  Upload,
  UploadResult,
} from '../../../core/scans/store.ts'
import type { Account } from '../../../core/shared/account.ts'

/** Accounts of the host: the storage has no rows for them. */
export const ADA: Account = { id: 'ada-1', name: 'Ada' }
export const BOB: Account = { id: 'bob-1', name: 'Bob' }

export const NOW = Date.UTC(2026, 2, 14, 8)

/** Creates a scan of a project that differs by number in every field. */
export function sampleScan(number: number, changes: Partial<NewScan> = {}): NewScan {
  return {
    kind: 'project',
    id: `scan${number}`,
    group: `group ${number}`,
    projectName: `Projekt Ö${number}`,
    networkName: '',
    startedAt: NOW + number,
    endedAt: undefined,
    status: 'complete',
    detail: `{"number":${number}}`,
    ...changes,
  }
}

/** Returns the identity of a scan, for uploads of more rows. */
export function nameOf({ kind, id }: ScanName): ScanName {
  return { kind, id }
}

/** Creates a row whose match depends on its number: every third has none. */
export function sampleRow(number: number, changes: Partial<NewScanRow> = {}): NewScanRow {
  return {
    subject: `https://api${number % 7}.example/${number}`,
    method: number % 2 === 0 ? 'get' : '',
    detail: `{"row":${number}}`,
    match:
      number % 3 === 0
        ? undefined
        : {
            apiId: (number % 3) * 10,
            endpointId: number % 2 === 0 ? number : undefined,
            confidence: 0.25,
          },
    ...changes,
  }
}

export function sampleRows(count: number, from = 0): readonly NewScanRow[] {
  return Array.from({ length: count }, (_, index) => sampleRow(from + index))
}

export function sampleEnd(
  rows: readonly NewScanRow[],
  changes: Partial<UploadResult> = {},
): UploadResult {
  const apiIds = new Set(rows.flatMap(({ match }) => match?.apiId ?? []))
  return {
    keys: [],
    digest: 'digest',
    rows: rows.length,
    matched: rows.filter(({ match }) => match !== undefined).length,
    apiIds: [...apiIds],
    generation: 1,
    at: NOW,
    ...changes,
  }
}

/** Stages rows in two batches. */
export async function stage(
  scans: ScanStore,
  given: {
    readonly account: Account
    readonly scan: Parameters<ScanStore['beginUpload']>[1]['scan']
    readonly rows: readonly NewScanRow[]
  },
): Promise<Upload> {
  const { account, scan, rows } = given
  const upload = await scans.beginUpload(account, { scan, at: NOW })
  if (!upload) throw new Error('There is no such scan')
  const half = Math.ceil(rows.length / 2)
  await scans.saveRows(account, { upload, first: 0, at: NOW, rows: rows.slice(0, half) })
  await scans.saveRows(account, { upload, first: half, at: NOW, rows: rows.slice(half) })
  return upload
}

/** Stages and publishes a sample. */
export async function submitSample(
  scans: ScanStore,
  given: Parameters<typeof stage>[1] & { readonly end?: Partial<UploadResult> },
): Promise<Upload> {
  const upload = await stage(scans, given)
  await scans.publish(given.account, { upload, end: sampleEnd(given.rows, given.end) })
  return upload
}

/** Reads all rows of a scan. */
export async function readRows(
  { scans }: Pick<FullStorage, 'scans'>,
  given: {
    readonly account: Account
    readonly scan: number
    readonly order?: 'scan' | 'api'
  },
): Promise<readonly StoredRow[]> {
  const { account, scan, order = 'scan' } = given
  const all: StoredRow[] = []
  for await (const page of scans.listRows(account, { scan, order })) all.push(...page)
  return all
}

/** Returns the stored form of a row without decisions. */
export function toKept(row: NewScanRow, position: number, place: number): StoredRow {
  return {
    ...row,
    owner: row.owner ?? '',
    place,
    position,
    approval: 'unreviewed',
    reason: '',
    decision: { by: '', at: undefined },
  }
}

/** Returns the IDs of an account's visible scans, newest first. */
export async function listIds(
  { scans }: Pick<FullStorage, 'scans'>,
  account: Account,
): Promise<readonly string[]> {
  const filters = [{ kind: 'project' as const }, { kind: 'network' as const }]
  const ids: string[] = []
  for (const filter of filters) {
    const found = await scans.list(account, { filter, after: undefined, limit: 100 })
    ids.push(...found.map(({ id }) => id))
  }
  return ids
}

/** Sweeps until nothing is left. Returns the number of sweeps. */
export async function sweepAll(
  scans: ScanStore,
  since: { readonly staleBefore?: number; readonly keptSince?: number } = {},
): Promise<number> {
  const { staleBefore = 0, keptSince } = since
  for (let round = 1; round < 100; round += 1) {
    const removed = await scans.sweep({ staleBefore, keptSince, limit: 1000 })
    if (removed < 1000) return round
  }
  throw new Error('There is always more to sweep')
}
