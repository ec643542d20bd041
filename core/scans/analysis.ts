import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../errors.ts'
import type { MatchQuery } from '../matching/match.ts'
import type { Matcher } from '../matching/matcher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Account } from '../shared/account.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import { type FindVendor, findOwner, toOwnerKey, type UsageOwner } from './owners.ts'
import type { ScanKind, ScanStore, StoredRow, StoredScan } from './store.ts'
import { toCatalogueMatch, toEndpointQuery, toFlowQuery, type UnmatchedRow } from './stored-rows.ts'

/** Matches scan rows to the catalogue: on arrival, and again after the catalogue has changed. */
export interface Analysis {
  /** Returns a function that matches rows to the current generation of the catalogue. */
  start(kind: ScanKind): Promise<RowMatcher>
  /** Current generation of the catalogue. */
  generation(): Promise<number>
  /** Re-matches the scan if it is older than the current catalogue. Undefined if it was removed. */
  refresh(account: Account, scan: StoredScan): Promise<StoredScan | undefined>
}

/** Match or owner of a row. */
export type RowMatch = Pick<StoredRow, 'match' | 'owner'>

export interface RowMatcher {
  readonly generation: number
  match(row: UnmatchedRow): RowMatch
}

/** Creates the analysis. Concurrent requests in one process share one re-match of a scan. */
export function createAnalysis(deps: {
  readonly store: ScanStore
  readonly catalogue: Pick<CatalogueStore, 'generation'>
  /** See `LiveMatcher`. Not called while there is nothing to match. */
  readonly current: () => Promise<{
    readonly generation: number
    readonly matcher: Pick<Matcher, 'match'>
  }>
  /** Vendors of hosts in the current catalogue. */
  readonly vendors: () => Promise<{ readonly findVendor: FindVendor }>
  readonly clock: Clock
}): Analysis {
  const { store, current, clock } = deps
  const running = new Map<number, Promise<StoredScan | undefined>>()

  async function readGeneration(): Promise<number> {
    return deps.catalogue.generation()
  }

  async function start(kind: ScanKind): Promise<RowMatcher> {
    const { generation, matcher } = await current()
    const { findVendor } = await deps.vendors()
    const toQuery = QUERIES[kind]
    return {
      generation,
      match(row) {
        const found = matcher.match(toQuery(row))
        const match = toCatalogueMatch(found)
        if (match) return { match, owner: '' }
        const owner: UsageOwner = found
          ? { kind: 'apis', name: found.vendorName }
          : findOwner(row, findVendor)
        return { match, owner: toOwnerKey(owner) }
      },
    }
  }

  /**
   * Re-matches a scan and returns its current state. Stops early if the scan was removed or a newer
   * generation is being matched.
   */
  async function rematch(account: Account, scan: StoredScan): Promise<StoredScan | undefined> {
    try {
      const confirmed = await confirm(account, scan)
      if (confirmed) return confirmed
      await matchRows(account, scan)
    } catch (error) {
      // The scan was removed, or a newer generation is being matched.
      if (!(error instanceof ServiceError && error.code === 'conflict')) throw error
    }
    return store.find(account, scan)
  }

  /**
   * Returns the scan with its new generation if all rows match as before. Checks short scans only,
   * because a changed scan is read twice.
   */
  async function confirm(account: Account, scan: StoredScan): Promise<StoredScan | undefined> {
    if (scan.rows > MAX_CONFIRMED_ROWS) return undefined
    const { generation, match } = await start(scan.kind)
    if (scan.generation >= generation) return undefined
    const pause = createYieldIfDue()
    for await (const rows of store.listRows(account, { scan: scan.number, order: 'scan' })) {
      if (!rows.every((row) => isSameMatch(row, match(row)))) return undefined
      await pause()
    }
    return store.confirmMatching(account, { scan, generation, at: clock() })
  }

  async function matchRows(account: Account, scan: StoredScan): Promise<void> {
    const { generation, match } = await start(scan.kind)
    const request = { scan: scan.number, generation }
    if (!(await store.beginMatching(account, request))) return
    const pause = createYieldIfDue()
    for await (const rows of store.listRows(account, { scan: scan.number, order: 'scan' })) {
      const changed = rows.flatMap((row) => {
        const found = match(row)
        return isSameMatch(row, found) ? [] : [{ place: row.place, ...found }]
      })
      const saved = changed.length === 0
      if (!saved && !(await store.saveMatches(account, { ...request, matches: changed }))) return
      await pause()
    }
    await store.finishMatching(account, { ...request, at: clock() })
  }

  /** Concurrent callers also share the read that follows the re-match. */
  function matchOnce(account: Account, scan: StoredScan): Promise<StoredScan | undefined> {
    const known = running.get(scan.number)
    if (known) return known
    const work = rematch(account, scan).finally(() => running.delete(scan.number))
    running.set(scan.number, work)
    return work
  }

  return {
    start,
    generation: readGeneration,
    async refresh(account, scan) {
      const generation = await readGeneration()
      let present: StoredScan | undefined = scan
      for (let turn = 0; turn < MAX_REMATCHES; turn += 1) {
        if (!present || present.generation >= generation) return present
        present = await matchOnce(account, present)
      }
      return present
    },
  }
}

const MAX_CONFIRMED_ROWS = 2_000

/** Bounds the wait of readers while the catalogue keeps changing. */
const MAX_REMATCHES = 5

const QUERIES: Readonly<Record<ScanKind, (row: UnmatchedRow) => MatchQuery>> = {
  project: toEndpointQuery,
  network: toFlowQuery,
}

function isSameMatch(left: RowMatch, right: RowMatch): boolean {
  return (
    left.owner === right.owner &&
    left.match?.apiId === right.match?.apiId &&
    left.match?.endpointId === right.match?.endpointId &&
    left.match?.confidence === right.match?.confidence
  )
}
