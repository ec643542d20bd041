import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../http/problems.ts'
import type { MatchQuery } from '../matching/match.ts'
import type { Matcher } from '../matching/matcher.ts'
import type { Clock } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import { createPause } from '../shared/slices.ts'
import { toEndpointQuery, toFlowQuery, toMatch, type Unmatched } from './kept.ts'
import { type FindVendor, findOwner, toOwnerKey, type UseOwner } from './owners.ts'
import type { KeptRow, KeptScan, ScanKind, ScanStore } from './store.ts'

/** Matching of rows to the catalogue, at their arrival and when the catalogue has changed since. */
export interface Analysis {
  /** A function that matches rows, all by the generation that is current now. */
  start(kind: ScanKind): Promise<RowMatcher>
  /** The catalogue's generation. */
  generation(): Promise<number>
  /** The scan, matched to the catalogue as it is now; undefined when it was removed meanwhile. */
  refresh(account: Account, scan: KeptScan): Promise<KeptScan | undefined>
}

/** What a row belongs to. */
export type RowMatch = Pick<KeptRow, 'match' | 'owner'>

export interface RowMatcher {
  readonly generation: number
  match(row: Unmatched): RowMatch
}

/** Creates the analysis. In one process, a scan is matched once at a time. */
export function createAnalysis(deps: {
  readonly store: ScanStore
  readonly catalogue: Pick<CatalogueStore, 'generation'>
  /** See `LiveMatcher`; not asked while nothing is to be matched. */
  readonly current: () => Promise<{
    readonly generation: number
    readonly matcher: Pick<Matcher, 'match'>
  }>
  /** Vendors of hosts by the catalogue as it is now. */
  readonly vendors: () => Promise<{ readonly findVendor: FindVendor }>
  readonly clock: Clock
}): Analysis {
  const { store, current, clock } = deps
  const running = new Map<number, Promise<KeptScan | undefined>>()

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
        const match = toMatch(found)
        if (match) return { match, owner: '' }
        const owner: UseOwner = found
          ? { kind: 'apis', name: found.vendorName }
          : findOwner(row, findVendor)
        return { match, owner: toOwnerKey(owner) }
      },
    }
  }

  /** The scan as it is then. Ends early, leaving the rest to whoever came in between. */
  async function matchAnew(account: Account, scan: KeptScan): Promise<KeptScan | undefined> {
    try {
      const confirmed = await confirm(account, scan)
      if (confirmed) return confirmed
      await matchRows(account, scan)
    } catch (error) {
      // Removed, or being matched by a newer generation.
      if (!(error instanceof ServiceError && error.code === 'conflict')) throw error
    }
    return store.find(account, scan)
  }

  /**
   * The scan when no row is matched differently than before. Reads short scans only: others would be
   * read twice.
   */
  async function confirm(account: Account, scan: KeptScan): Promise<KeptScan | undefined> {
    if (scan.rows > MAX_CONFIRMED_ROWS) return undefined
    const { generation, match } = await start(scan.kind)
    if (scan.generation >= generation) return undefined
    const pause = createPause()
    for await (const rows of store.listRows(account, { scan: scan.number, order: 'scan' })) {
      if (!rows.every((row) => isSame(row, match(row)))) return undefined
      await pause()
    }
    return store.confirmMatching(account, { scan, generation, at: clock() })
  }

  async function matchRows(account: Account, scan: KeptScan): Promise<void> {
    const { generation, match } = await start(scan.kind)
    const request = { scan: scan.number, generation }
    if (!(await store.beginMatching(account, request))) return
    const pause = createPause()
    for await (const rows of store.listRows(account, { scan: scan.number, order: 'scan' })) {
      const changed = rows.flatMap((row) => {
        const found = match(row)
        return isSame(row, found) ? [] : [{ place: row.place, ...found }]
      })
      const saved = changed.length === 0
      if (!saved && !(await store.saveMatches(account, { ...request, matches: changed }))) return
      await pause()
    }
    await store.finishMatching(account, { ...request, at: clock() })
  }

  /** All who wait for a scan share the read that follows too. */
  function matchOnce(account: Account, scan: KeptScan): Promise<KeptScan | undefined> {
    const known = running.get(scan.number)
    if (known) return known
    const work = matchAnew(account, scan).finally(() => running.delete(scan.number))
    running.set(scan.number, work)
    return work
  }

  return {
    start,
    generation: readGeneration,
    async refresh(account, scan) {
      const generation = await readGeneration()
      let present: KeptScan | undefined = scan
      for (let turn = 0; turn < MAX_TURNS; turn += 1) {
        if (!present || present.generation >= generation) return present
        present = await matchOnce(account, present)
      }
      return present
    },
  }
}

const MAX_CONFIRMED_ROWS = 2_000

/** A catalogue that changes all the time does not keep readers forever. */
const MAX_TURNS = 5

const QUERIES: Readonly<Record<ScanKind, (row: Unmatched) => MatchQuery>> = {
  project: toEndpointQuery,
  network: toFlowQuery,
}

function isSame(left: RowMatch, right: RowMatch): boolean {
  return (
    left.owner === right.owner &&
    left.match?.apiId === right.match?.apiId &&
    left.match?.endpointId === right.match?.endpointId &&
    left.match?.confidence === right.match?.confidence
  )
}
