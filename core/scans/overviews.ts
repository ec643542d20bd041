import type { CatalogueStore } from '../catalogue/store.ts'
import type { FindGeolocation, Geolocation } from '../ports/geolocation.ts'
import type { Account } from '../shared/account.ts'
import { foldName } from '../shared/text.ts'
import type { Analysis } from './analysis.ts'
import { type ComparedScans, compareScans } from './compare-scans.ts'
import { createScanNotFoundError } from './reads.ts'
import { createUsageReader, type ShownUsage } from './shown-usages.ts'
import type { ScanKind, ScanName, ScanStore, StoredScan } from './store.ts'
import { createUsageGroupReads, type UsageGroupReads } from './usage-groups.ts'
import type { ScanUsageStore, UsageCounts, UsageFigure } from './usage-store.ts'
import { createUsedApiReader, type UsedApi, type UsedApiSources } from './used-apis.ts'

/** Counts of the usages of one API in a scan, or of those without an API. */
export interface ApiUsageCounts extends UsageCounts {
  readonly apiId: number | undefined
}

/** A scan with its counts. */
export interface CountedScan {
  readonly scan: StoredScan
  readonly counts: UsageCounts
  /** Most urgent first: by new unreviewed usages, by unreviewed usages, then by usages. */
  readonly apis: readonly ApiUsageCounts[]
  /** Whether the scan is matched to the current catalogue. */
  readonly isCurrent: boolean
}

/** Request of a store read, for a scan that was already found. */
type ScanRequest<Read extends 'listUsages' | 'findUsages' | 'listAddresses' | 'listBatches'> = Omit<
  Parameters<ScanUsageStore[Read]>[1],
  'scan'
> & { readonly scan: StoredScan }

/** Scans for display, as last matched: read page by page, never as a whole. */
export interface ScanOverviews extends UsageGroupReads {
  /** The newest scan of each project and network, newest first. */
  listGroups(
    account: Account,
    request: {
      readonly kind?: ScanKind | undefined
      /** Part of the name of the project or network, folded. */
      readonly name?: string | undefined
      /** Part of the name of a vendor whose API the scan uses, folded. */
      readonly vendor?: string | undefined
      /** From 1. */
      readonly page: number
      readonly size: number
    },
  ): Promise<{ readonly items: readonly CountedScan[]; readonly total: number }>
  /** Scans of the same project or network, newest first. */
  listHistory(
    account: Account,
    request: ScanRequest<'listBatches'>,
  ): Promise<readonly CountedScan[]>
  /** Returns the same scans as `listHistory`, without counts. */
  listNewest(
    account: Account,
    request: ScanRequest<'listBatches'>,
  ): ReturnType<ScanUsageStore['listNewest']>
  /** Throws `not_found`. */
  getCounted(account: Account, name: ScanName): Promise<CountedScan>
  listUsages(account: Account, request: ScanRequest<'listUsages'>): Promise<readonly ShownUsage[]>
  /** Finds usages by their positions; unknown ones are omitted. */
  findUsages(account: Account, request: ScanRequest<'findUsages'>): Promise<readonly ShownUsage[]>
  listAddresses(
    account: Account,
    request: ScanRequest<'listAddresses'>,
  ): ReturnType<ScanUsageStore['listAddresses']>
  /** Uploads of a scan, newest first. */
  listBatches(
    account: Account,
    request: ScanRequest<'listBatches'>,
  ): ReturnType<ScanUsageStore['listBatches']>
  /** Throws `not_found`, and `invalid_input` for scans of different projects or networks. */
  compare(
    account: Account,
    request: {
      readonly kind: ScanKind
      readonly before: string
      readonly after: string
      /** Maximum length of each list. */
      readonly limit: number
      /** From 1; for long scans. */
      readonly page: number
    },
  ): Promise<ComparedScans>
  /** Reads APIs by numeric ID; unknown ones are omitted. */
  readUsedApis(ids: readonly number[]): Promise<ReadonlyMap<number, UsedApi>>
  /** Undefined if unknown, or if no geolocation lookup is configured. */
  findGeolocation(address: string): Geolocation | undefined
  /** Matches a scan to the current catalogue. Throws `not_found`. */
  rematch(account: Account, name: ScanName): Promise<void>
}

/** Creates the overviews. */
export function createScanOverviews(deps: {
  readonly store: ScanStore
  readonly catalogue: UsedApiSources['catalogue'] & Pick<CatalogueStore, 'listFacts'>
  readonly analysis: Pick<Analysis, 'refresh'>
  readonly places: FindGeolocation | undefined
  readonly vulnerabilities: Omit<UsedApiSources, 'catalogue'>
  readonly vendors: Parameters<typeof createUsageReader>[0]
}): ScanOverviews {
  const { store, catalogue } = deps
  const readUsedApis = createUsedApiReader({ catalogue, ...deps.vulnerabilities })
  const showUses = createUsageReader(deps.vendors)

  async function findScan(account: Account, name: ScanName): Promise<StoredScan> {
    const scan = await store.find(account, name)
    if (scan) return scan
    throw createScanNotFoundError(name)
  }

  async function countScans(
    account: Account,
    scans: readonly StoredScan[],
  ): Promise<readonly CountedScan[]> {
    const figures = await store.listFigures(
      account,
      scans.map(({ number }) => number),
    )
    const generation = await catalogue.generation()
    return scans.map((scan) => {
      const own = figures.get(scan.number) ?? []
      const isCurrent = scan.generation >= generation
      return { scan, counts: sumFigures(own), apis: toApiCounts(own), isCurrent }
    })
  }

  async function findApiIdsOfVendor(vendor: string): Promise<readonly number[]> {
    const wanted = foldName(vendor)
    const facts = await catalogue.listFacts()
    return facts.flatMap((api) => (foldName(api.vendor.name).includes(wanted) ? [api.id] : []))
  }

  return {
    ...createUsageGroupReads(store, showUses),

    async listGroups(account, { kind, name, vendor, page, size }) {
      const filter = {
        kind,
        name: name ? foldName(name) : undefined,
        apiIds: vendor ? await findApiIdsOfVendor(vendor) : undefined,
      }
      const request = { filter, offset: (page - 1) * size, limit: size }
      const { scans, total } = await store.listGroups(account, request)
      return { items: await countScans(account, scans), total }
    },

    listHistory: async (account, { scan, limit }) =>
      countScans(account, await store.listNewest(account, { ...scan, limit })),

    listNewest: (account, { scan, limit }) => store.listNewest(account, { ...scan, limit }),

    async getCounted(account, name) {
      const [counted] = await countScans(account, [await findScan(account, name)])
      if (counted) return counted
      throw createScanNotFoundError(name)
    },

    async listUsages(account, { scan, ...request }) {
      return showUses(await store.listUsages(account, { ...request, scan: scan.number }))
    },

    async findUsages(account, { scan, places }) {
      const uses = await store.findUsages(account, { scan: scan.number, places })
      return showUses(uses)
    },

    listAddresses: (account, { scan, limit }) =>
      store.listAddresses(account, { scan: scan.number, limit }),

    listBatches: (account, { scan, limit }) =>
      store.listBatches(account, { scan: scan.number, limit }),

    async compare(account, { kind, before, after, limit, page }) {
      return compareScans(
        { store, showUses, account },
        {
          before: await findScan(account, { kind, id: before }),
          after: await findScan(account, { kind, id: after }),
          limit,
          page,
        },
      )
    },

    readUsedApis,
    findGeolocation: (address) => deps.places?.(address),

    async rematch(account, name) {
      await deps.analysis.refresh(account, await findScan(account, name))
    },
  }
}

const NO_COUNTS: UsageCounts = {
  usages: 0,
  rows: 0,
  isNew: 0,
  newUnreviewed: 0,
  unreviewed: 0,
  rejected: 0,
  approved: 0,
}

/** Sums the figures of one or several APIs. */
export function sumFigures(figures: readonly UsageFigure[]): UsageCounts {
  return figures.reduce(addFigure, NO_COUNTS)
}

function addFigure(
  counts: UsageCounts,
  { approval, isNew, usages, rows }: UsageFigure,
): UsageCounts {
  const isOpen = approval === 'unreviewed'
  return {
    usages: counts.usages + usages,
    rows: counts.rows + rows,
    isNew: counts.isNew + (isNew ? usages : 0),
    newUnreviewed: counts.newUnreviewed + (isNew && isOpen ? usages : 0),
    unreviewed: counts.unreviewed + (isOpen ? usages : 0),
    rejected: counts.rejected + (approval === 'no' ? usages : 0),
    approved: counts.approved + (approval === 'yes' ? usages : 0),
  }
}

function toApiCounts(figures: readonly UsageFigure[]): readonly ApiUsageCounts[] {
  const apis = new Map<number | undefined, ApiUsageCounts>()
  for (const figure of figures) {
    const { apiId } = figure
    apis.set(apiId, { apiId, ...addFigure(apis.get(apiId) ?? NO_COUNTS, figure) })
  }
  return [...apis.values()].sort(
    (a, b) =>
      b.newUnreviewed - a.newUnreviewed ||
      b.unreviewed - a.unreviewed ||
      b.usages - a.usages ||
      (a.apiId ?? Number.MAX_SAFE_INTEGER) - (b.apiId ?? Number.MAX_SAFE_INTEGER),
  )
}
