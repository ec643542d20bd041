import { ServiceError } from '../../core/errors.ts'
import type { Account } from '../../core/index.ts'
import type {
  NewScanRow,
  ScanFilter,
  ScanName,
  ScanStore,
  Storage,
  StoredBatch,
  StoredRow,
  StoredScan,
  Upload,
} from '../../core/storage.ts'
import { clean, fold } from './texts.ts'

interface Part {
  readonly rows: StoredRow[]
  isPublished: boolean
}

/** A scan of an account with its uploads by number. */
interface ScanEntry {
  readonly accountId: string
  scan: StoredScan
  /** False before the first upload is published. */
  isVisible: boolean
  /** Generation of the last begun matching; a change interrupts readers. */
  matching: number
  nextPart: number
  readonly parts: Map<number, Part>
}

const MAX_PART_ROWS = 4_000_000
const PAGE_ROWS = 500

const NOT_REVIEWED = {
  reviewStatus: 'not_started',
  isApproved: 'not_analyzed',
  by: '',
  at: undefined,
} as const

/** Creates the store of scans, without reviews and removal. */
export function createScans(): Storage['scans'] {
  const entries: ScanEntry[] = []
  const batches = new Map<string, StoredBatch>()
  const toKey = ({ id }: Account, key: string) => `${id}\n${clean(key)}`
  const find = (account: Account, number: number) =>
    entries.find((each) => each.accountId === account.id && each.scan.number === number)
  const findVisible = (account: Account, number: number) => {
    const entry = find(account, number)
    return entry?.isVisible ? entry : undefined
  }
  const findNamed = (account: Account, { kind, id }: ScanName) =>
    listVisible(account).find(({ scan }) => scan.kind === kind && scan.id === id)
  const listVisible = (account: Account) =>
    entries.filter((each) => each.isVisible && each.accountId === account.id)
  const findOpen = (account: Account, { scan, part }: Upload) => {
    const entry = find(account, scan)
    const open = entry?.parts.get(part)
    if (entry && open?.isPublished === false) return { entry, open }
    throw new ServiceError('conflict', 'Cannot store the scan: its upload was removed')
  }

  return {
    ...createMatching(findVisible),
    async beginUpload(account, { scan, at }) {
      let entry: ScanEntry | undefined
      if ('group' in scan) {
        if (entries.some((each) => each.accountId === account.id && each.scan.id === scan.id)) {
          throw new ServiceError('conflict', 'Cannot store the scan: its ID is in use')
        }
        const number = (entries.at(-1)?.scan.number ?? 0) + 1
        const counts = { generation: 0, analyzedAt: at, receivedAt: at, rows: 0, matched: 0 }
        entry = {
          accountId: account.id,
          scan: { ...clean(scan), ...NOT_REVIEWED, ...counts, number },
          ...{ isVisible: false, matching: 0, nextPart: 0, parts: new Map() },
        }
        entries.push(entry)
      } else entry = findNamed(account, scan)
      if (!entry) return undefined
      const part = entry.nextPart
      entry.nextPart += 1
      entry.parts.set(part, { rows: [], isPublished: false })
      return { scan: entry.scan.number, part }
    },
    async saveRows(account, { upload, first, rows }) {
      const { open } = findOpen(account, upload)
      const start = upload.part * MAX_PART_ROWS + first
      for (const [index, row] of rows.entries())
        open.rows[first + index] = toRow(row, start + index)
    },
    async publish(account, { upload, end }) {
      const known = end.keys.map((key) => batches.get(toKey(account, key))).find(Boolean)
      if (known) return { isNew: false, part: known }
      const { entry, open } = findOpen(account, upload)
      const { scan, isVisible } = entry
      const { generation, digest, rows, matched } = end
      open.isPublished = true
      entry.matching = !isVisible || generation >= entry.matching ? entry.matching : 0
      if (!isVisible) entry.matching = generation
      entry.isVisible = true
      entry.scan = {
        ...scan,
        generation: !isVisible || generation < scan.generation ? generation : scan.generation,
        analyzedAt: Math.max(end.at, scan.analyzedAt),
        receivedAt: end.at,
        rows: scan.rows + rows,
        matched: scan.matched + matched,
        status: end.status ?? scan.status,
        endedAt: end.endedAt === undefined ? scan.endedAt : (end.endedAt ?? undefined),
      }
      const part = { scanId: scan.id, group: scan.group, digest, rows, matched }
      for (const key of end.keys) batches.set(toKey(account, key), part)
      return { isNew: true, part }
    },
    async discard(account, { scan, part }) {
      const entry = find(account, scan)
      if (entry?.parts.get(part)?.isPublished !== false) return
      entry.parts.delete(part)
      if (entry.parts.size === 0) entries.splice(entries.indexOf(entry), 1)
    },
    findBatch: async (account, key) => batches.get(toKey(account, key)),

    find: async (account, name) => findNamed(account, name)?.scan,
    async list(account, { filter, after, limit }) {
      return listVisible(account)
        .filter((entry) => passes(entry, filter))
        .map(({ scan }) => scan)
        .sort(byAge)
        .filter((scan) => after === undefined || byAge(after, scan) < 0)
        .slice(0, limit)
    },
    count: async (account) => listVisible(account).length,
    async listApiIds(account, kind) {
      const ids = listVisible(account)
        .filter(({ scan }) => scan.kind === kind)
        .flatMap((entry) => [...toApiIds(entry)])
      return [...new Set(ids)].sort((one, other) => one - other)
    },
    listRows(account, { scan, order }) {
      const entry = findVisible(account, scan)
      const rows = entry ? listRows(entry) : []
      if (order === 'api') rows.sort((one, other) => toApiOrder(one) - toApiOrder(other))
      return readPages(rows, { matching: entry?.matching, read: () => findVisible(account, scan) })
    },
  }
}

function toRow({ subject, method, detail, match, owner = '' }: NewScanRow, place: number) {
  const open = { approval: 'unreviewed', reason: '', decision: { by: '', at: undefined } } as const
  return { ...clean({ subject, method, detail, match, owner }), place, position: 0, ...open }
}

/** Lists the published rows in order of their uploads. */
function listRows({ parts }: ScanEntry): StoredRow[] {
  return [...parts.values()]
    .filter(({ isPublished }) => isPublished)
    .flatMap(({ rows }) => rows)
    .map((row, position) => ({ ...row, position }))
}

async function* readPages(
  rows: readonly StoredRow[],
  expected: { readonly matching: number | undefined; readonly read: () => ScanEntry | undefined },
): AsyncGenerator<readonly StoredRow[]> {
  let start = 0
  do {
    const matching = expected.read()?.matching
    if (matching === undefined || matching !== expected.matching) {
      throw new ServiceError('conflict', 'Cannot continue reading the scan: it has changed')
    }
    if (rows.length > 0) yield rows.slice(start, start + PAGE_ROWS)
    start += PAGE_ROWS
  } while (start < rows.length)
}

function toApiIds(entry: ScanEntry): ReadonlySet<number> {
  return new Set(listRows(entry).flatMap(({ match }) => match?.apiId ?? []))
}

function toApiOrder({ match }: StoredRow): number {
  return match?.apiId ?? Number.MAX_SAFE_INTEGER
}

function passes(entry: ScanEntry, filter: ScanFilter): boolean {
  const { scan } = entry
  const { kind, id, group, projectName, networkName, apiIds, staleAt } = filter
  return (
    scan.kind === kind &&
    scan.id === (id ?? scan.id) &&
    scan.group === (group ?? scan.group) &&
    (projectName === undefined || fold(scan.projectName) === projectName) &&
    (networkName === undefined || fold(scan.networkName) === networkName) &&
    (staleAt === undefined || scan.generation < staleAt) &&
    (apiIds === undefined || apiIds.some((apiId) => toApiIds(entry).has(apiId)))
  )
}

type Age = Pick<StoredScan, 'startedAt' | 'number'>

/** Orders the newest first. */
function byAge(one: Age, other: Age): number {
  return other.startedAt - one.startedAt || other.number - one.number
}

function createMatching(
  find: (account: Account, number: number) => ScanEntry | undefined,
): Pick<ScanStore, 'beginMatching' | 'saveMatches' | 'finishMatching'> {
  const findMatched = (account: Account, request: { scan: number; generation: number }) => {
    const entry = find(account, request.scan)
    return entry?.matching === request.generation ? entry : undefined
  }
  return {
    async beginMatching(account, { scan, generation }) {
      const entry = find(account, scan)
      if (!entry || entry.scan.generation >= generation || entry.matching > generation) return false
      entry.matching = generation
      return true
    },
    async saveMatches(account, { matches, ...request }) {
      const entry = findMatched(account, request)
      if (!entry) return false
      for (const { place, match, owner } of matches) {
        const rows = entry.parts.get(Math.floor(place / MAX_PART_ROWS))?.rows ?? []
        const index = place % MAX_PART_ROWS
        const row = rows[index]
        if (row) rows[index] = { ...row, match, owner: clean(owner) }
      }
      const matched = listRows(entry).filter(({ match }) => match !== undefined).length
      entry.scan = { ...entry.scan, matched }
      return true
    },
    async finishMatching(account, { at, ...request }) {
      const entry = findMatched(account, request)
      if (!entry) return false
      entry.scan = { ...entry.scan, generation: request.generation, analyzedAt: at }
      return true
    },
  }
}
