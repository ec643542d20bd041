import type { CatalogueStore } from '../catalogue/store.ts'
import { listUsedPackages } from '../code-scanner/packages/used-packages.ts'
import { createNotFoundError, type ServiceError } from '../errors.ts'
import type { Account } from '../shared/account.ts'
import { mapBatches, splitIntoBatches } from '../shared/batches.ts'
import { toDisplayName } from '../shared/display-name.ts'
import type { UsedPackage } from '../shared/package-urls.ts'
import { foldName } from '../shared/text.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import type { HostVendors } from '../vendors/host-vendors.ts'
import type { VulnerablePackage } from '../vulnerabilities/records.ts'
import type { Analysis } from './analysis.ts'
import type {
  CodeLocation,
  NetworkScan,
  ProjectFilter,
  ProjectScan,
  ScannedPackages,
} from './records.ts'
import type { ScanFilter, ScanName, ScanReads, ScanStore, StoredRow, StoredScan } from './store.ts'
import { toCapturedFlow, toNetworkScan, toProjectScan, toScannedEndpoint } from './stored-rows.ts'

/** Reads of scans for this feature, in addition to those for other features. */
export interface ScanLists extends ScanReads {
  /** All network scans of an account, newest first, not re-matched. */
  listNetworks(account: Account): AsyncIterable<readonly NetworkScan[]>
  /** Matched to the current catalogue. Throws `not_found`. */
  getNetwork(account: Account, instanceId: string): Promise<NetworkScan>
}

/** Reads the packages of stored scans. */
export interface PackageReads {
  /**
   * Finds the packages of a project whose versions have CVEs, sorted by package URL. Throws
   * `not_found`.
   */
  findScannedPackages(account: Account, projectId: string): Promise<ScannedPackages>
}

/** Creates the reads. */
export function createScanReads(deps: {
  readonly store: ScanStore
  readonly catalogue: Pick<CatalogueStore, 'findApis'>
  readonly analysis: Pick<Analysis, 'generation' | 'refresh'>
  /** Vendors of hosts in the current catalogue. */
  readonly vendors: () => Promise<HostVendors>
}): ScanLists {
  const { store, analysis } = deps

  async function* listScans(
    account: Account,
    filter: ScanFilter,
  ): AsyncIterable<readonly StoredScan[]> {
    let after: StoredScan | undefined
    for (;;) {
      const page = await store.list(account, { filter, after, limit: PAGE_SCANS })
      if (page.length > 0) yield page
      after = page.at(-1)
      if (page.length < PAGE_SCANS) return
    }
  }

  async function getMatchedScan(account: Account, name: ScanName): Promise<StoredScan> {
    const kept = await store.find(account, name)
    const scan = kept && (await analysis.refresh(account, kept))
    if (scan) return scan
    throw createScanNotFoundError(name)
  }

  async function* listRows(
    account: Account,
    request: {
      readonly name: ScanName
      readonly order: 'scan' | 'api'
      readonly number?: number | undefined
    },
  ): AsyncIterable<readonly StoredRow[]> {
    const scan = request.number ?? (await getMatchedScan(account, request.name)).number
    yield* store.listRows(account, { scan, order: request.order })
  }

  /** Returns the IDs of the APIs that satisfy the filter; undefined if it allows any API. */
  async function findApiIds(account: Account, { vendor, version }: ProjectFilter) {
    if (!vendor && !version) return undefined
    const staleAt = await analysis.generation()
    for await (const scans of listScans(account, { kind: 'project', staleAt })) {
      for (const some of splitIntoBatches(scans, MATCHED_AT_ONCE)) {
        await Promise.all(some.map((scan) => analysis.refresh(account, scan)))
      }
    }
    const ids = await store.listApiIds(account, 'project')
    return filterApiIds(deps.catalogue, { ids, vendor, version })
  }

  return {
    async findProjects(account, filter) {
      const apiIds = await findApiIds(account, filter)
      const scans = await store.list(account, {
        filter: {
          kind: 'project',
          id: filter.projectId || undefined,
          projectName: filter.name ? foldName(filter.name) : undefined,
          apiIds,
        },
        after: undefined,
        limit: filter.limit,
      })
      const generation = await analysis.generation()
      const fresh: ProjectScan[] = []
      for (const scan of scans) {
        const isFresh = scan.generation >= generation
        const present = isFresh ? scan : await analysis.refresh(account, scan)
        if (present) fresh.push(toProjectScan(present))
      }
      return fresh
    },

    async *listEndpoints(account, { projectId, order, number }) {
      const rows = listRows(account, { name: { kind: 'project', id: projectId }, order, number })
      const vendors = await deps.vendors()
      yield* mapBatches(rows, (row) => toScannedEndpoint(row, vendors))
    },

    async findNetworks(account, filter) {
      const repositories = new Map<string, StoredScan[]>()
      const wanted: ScanFilter = {
        kind: 'network',
        group: filter.repoId || undefined,
        projectName: filter.projectName ? foldName(filter.projectName) : undefined,
        networkName: filter.networkName ? foldName(filter.networkName) : undefined,
      }
      for await (const scans of listScans(account, wanted)) {
        for (const scan of scans) addScanToRepository(repositories, scan, filter)
      }
      const fresh: NetworkScan[][] = []
      for (const scans of repositories.values()) {
        const present: NetworkScan[] = []
        for (const scan of scans) {
          const matched = await analysis.refresh(account, scan)
          if (matched) present.push(toNetworkScan(matched))
        }
        if (present.length > 0) fresh.push(present)
      }
      return fresh
    },

    async *listFlows(account, { instanceId, order }) {
      const rows = listRows(account, { name: { kind: 'network', id: instanceId }, order })
      const vendors = await deps.vendors()
      yield* mapBatches(rows, (row) => toCapturedFlow(row, vendors))
    },

    listNetworks: (account) => mapBatches(listScans(account, { kind: 'network' }), toNetworkScan),

    getNetwork: async (account, id) =>
      toNetworkScan(await getMatchedScan(account, { kind: 'network', id })),
  }
}

/** Creates the same error for unknown scans and for scans of other accounts. */
export function createScanNotFoundError({ kind, id }: ScanName): ServiceError {
  const resource = kind === 'project' ? 'Scanned project' : 'Network scan'
  return createNotFoundError(resource, toDisplayName(id))
}

const PAGE_SCANS = 200
/** Number of scans that are matched concurrently. Leaves database connections to other requests. */
const MATCHED_AT_ONCE = 4
const PAGE_APIS = 200

/** Returns the IDs of the APIs with this vendor and version; undefined allows any. */
async function filterApiIds(
  catalogue: Pick<CatalogueStore, 'findApis'>,
  filter: Pick<ProjectFilter, 'vendor' | 'version'> & { readonly ids: readonly number[] },
): Promise<readonly number[]> {
  const { version } = filter
  const vendor = filter.vendor && foldName(filter.vendor)
  const found: number[] = []
  for (const ids of splitIntoBatches(filter.ids, PAGE_APIS)) {
    for (const api of await catalogue.findApis(ids)) {
      const isOfVendor = !vendor || foldName(api.vendor.name) === vendor
      if (isOfVendor && (!version || api.version === version)) found.push(api.id)
    }
  }
  return found
}

function addScanToRepository(
  repositories: Map<string, StoredScan[]>,
  scan: StoredScan,
  limits: { readonly repositories: number; readonly instances: number },
): void {
  const known = repositories.get(scan.group)
  if (known && known.length < limits.instances) known.push(scan)
  if (!known && repositories.size < limits.repositories) repositories.set(scan.group, [scan])
}

/** Maximum number of locations per package. */
const MAX_PLACES = 100

/** Creates the reads of packages. */
export function createPackageReads(deps: {
  readonly reads: Pick<ScanReads, 'listEndpoints'>
  readonly findPackageVulnerabilities: (
    packages: readonly UsedPackage[],
  ) => Promise<readonly VulnerablePackage[]>
}): PackageReads {
  return {
    async findScannedPackages(account, projectId) {
      const places = new Map<string, Map<string, CodeLocation>>()
      const fixed = new Set<string>()
      const lowest = new Set<string>()
      const pause = createYieldIfDue()
      const pages = deps.reads.listEndpoints(account, { projectId, order: 'scan' })
      for await (const page of pages) {
        for (const { packages, lowestPackages = [], foundIn } of page) {
          for (const name of packages) fixed.add(name)
          for (const name of lowestPackages) lowest.add(name)
          for (const name of [...packages, ...lowestPackages]) {
            const known = places.get(name) ?? new Map<string, CodeLocation>()
            places.set(name, known)
            addPlaces(known, foundIn)
          }
        }
        await pause()
      }
      const used = listUsedPackages([{ packages: [...fixed], lowestPackages: [...lowest] }])
      const found = await deps.findPackageVulnerabilities(used)
      return {
        checked: used.length,
        vulnerable: found.map((one) => ({
          ...one,
          places: [...(places.get(one.purl)?.values() ?? [])],
        })),
      }
    },
  }
}

function addPlaces(known: Map<string, CodeLocation>, places: readonly CodeLocation[]): void {
  for (const place of places) {
    if (known.size >= MAX_PLACES) return
    known.set(`${place.file}:${place.line ?? ''}:${place.column ?? ''}`, place)
  }
}
