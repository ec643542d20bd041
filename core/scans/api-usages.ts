import type { CatalogueStore } from '../catalogue/store.ts'
import type { Account } from '../shared/account.ts'
import { sumFigures } from './overviews.ts'
import type { NetworkScan, ProjectScan } from './records.ts'
import type { ScanKind, ScanStore, StoredScan } from './store.ts'
import { toNetworkScan, toProjectScan } from './stored-rows.ts'
import type { UsageCounts, UsageFigure } from './usage-store.ts'

/** A scan that uses an API, with the counts of that API only. */
export interface ApiUsingScan<Scan> {
  readonly scan: Scan
  readonly counts: UsageCounts
}

/** Projects and networks of an account that use an API. */
export interface ScansUsingApi {
  /** The newest scan of each project, if it uses the API; newest first. */
  readonly projects: readonly ApiUsingScan<ProjectScan>[]
  /** The newest scan of each repository, if it uses the API; newest first. */
  readonly networks: readonly ApiUsingScan<NetworkScan>[]
  /** Whether more scans use the API than are listed. */
  readonly isPartial: boolean
}

/** Maximum number of listed scans of each kind. */
const MAX_SCANS = 200

/** Finds the scans that use an API. Does not re-match them to the current catalogue. */
export async function findScansUsingApi(
  store: Pick<ScanStore, 'listGroups' | 'listFigures'>,
  { account, apiId }: { readonly account: Account; readonly apiId: number },
): Promise<ScansUsingApi> {
  const list = (kind: ScanKind) =>
    store.listGroups(account, { filter: { kind, apiIds: [apiId] }, offset: 0, limit: MAX_SCANS })
  const [projects, networks] = await Promise.all([list('project'), list('network')])
  const numbers = [...projects.scans, ...networks.scans].map(({ number }) => number)
  const figures = await store.listFigures(account, numbers)
  const toUsers = <Scan>(scans: readonly StoredScan[], toScan: (scan: StoredScan) => Scan) =>
    scans.map((scan) => ({
      scan: toScan(scan),
      counts: sumFigures(
        (figures.get(scan.number) ?? []).filter((figure) => figure.apiId === apiId),
      ),
    }))
  return {
    projects: toUsers(projects.scans, toProjectScan),
    networks: toUsers(networks.scans, toNetworkScan),
    isPartial: [projects, networks].some(({ scans, total }) => total > scans.length),
  }
}

/** Deprecated endpoints of one API that scans use. */
export interface DeprecatedUsages {
  /** Numeric IDs. */
  readonly endpointIds: ReadonlySet<number>
  /** Numbers of the scans that use them. */
  readonly scans: ReadonlySet<number>
}

/** Maximum number of usages that are checked for each scan and API. */
const MAX_USAGES = 500

/**
 * Finds the deprecated endpoints that scans use, by numeric API ID. APIs without any are omitted.
 * Checks at most 500 usages for each scan and API.
 */
export async function findDeprecatedUsages(
  sources: {
    readonly store: Pick<ScanStore, 'listFigures' | 'listUsages'>
    readonly catalogue: Pick<CatalogueStore, 'findEndpointSummaries'>
  },
  request: {
    readonly account: Account
    /** Numbers of scans. */
    readonly scans: readonly number[]
    readonly apiIds: readonly number[]
  },
): Promise<ReadonlyMap<number, DeprecatedUsages>> {
  const { store, catalogue } = sources
  const { account, scans, apiIds } = request
  const figures = await store.listFigures(account, scans)
  const found = new Map<number, DeprecatedUsages>()
  for (const apiId of apiIds) {
    const users = scans.filter((scan) => isUsing(figures.get(scan), apiId))
    const scansOf = new Map<number, Set<number>>()
    for (const scan of users) {
      const page = { scan, filter: { apiId }, offset: 0, limit: MAX_USAGES }
      for (const { endpointId } of await store.listUsages(account, page)) {
        if (endpointId === undefined) continue
        scansOf.set(endpointId, (scansOf.get(endpointId) ?? new Set()).add(scan))
      }
    }
    const summaries = await catalogue.findEndpointSummaries([...scansOf.keys()])
    const deprecated = summaries.filter(({ isDeprecated }) => isDeprecated).map(({ id }) => id)
    if (deprecated.length === 0) continue
    found.set(apiId, {
      endpointIds: new Set(deprecated),
      scans: new Set(deprecated.flatMap((id) => [...(scansOf.get(id) ?? [])])),
    })
  }
  return found
}

function isUsing(figures: readonly UsageFigure[] = [], apiId: number): boolean {
  return figures.some((figure) => figure.apiId === apiId)
}
