import type { AccountStore } from '../accounts/store.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../errors.ts'
import type { Matcher } from '../matching/matcher.ts'
import type { Clock } from '../ports/clock.ts'
import type { FindGeolocation } from '../ports/geolocation.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Account } from '../shared/account.ts'
import { toDisplayName } from '../shared/display-name.ts'
import type { Gauge } from '../shared/gauges.ts'
import type { HostVendors } from '../vendors/host-vendors.ts'
import { createAnalysis } from './analysis.ts'
import {
  type DeprecatedUsages,
  findDeprecatedUsages,
  findScansUsingApi,
  type ScansUsingApi,
} from './api-usages.ts'
import { createScanOverviews, type ScanOverviews } from './overviews.ts'
import {
  createPackageReads,
  createScanNotFoundError,
  createScanReads,
  type PackageReads,
  type ScanLists,
} from './reads.ts'
import type { NewReview } from './records.ts'
import { resolveHostSubjects } from './review-subjects.ts'
import type { RowDecision, ScanName, ScanStore, StoredScan } from './store.ts'
import { createSubmissions, type Submissions } from './submissions.ts'
import { createScanSweeper } from './sweeper.ts'
import { createUploads, type ScanLimits } from './uploads.ts'
import type { UsedApiSources } from './used-apis.ts'

/** Stores scan results, matches them to the catalogue, and reads and reviews them by account. */
export interface Scans extends ScanLists, ScanOverviews, Submissions, PackageReads {
  /** Throws `not_found`. */
  remove(account: Account, name: ScanName): Promise<void>
  /** Throws `not_found`, and `invalid_input` for endpoints that are not in the scan. */
  review(
    account: Account,
    request: {
      readonly scan: ScanName
      readonly review: Omit<NewReview, 'by' | 'at'>
      /** API key of the request; its name is stored as the reviewer. */
      readonly keyId: string | undefined
      /** Name of the reviewing user; takes precedence over the key. */
      readonly person?: string | undefined
    },
  ): Promise<{ readonly scan: StoredScan; readonly decisions: readonly RowDecision[] }>
  /** Scans that use an API, as last matched to the catalogue. */
  findScansUsingApi(account: Account, apiId: number): Promise<ScansUsingApi>
  /** Deprecated endpoints that scans use; see the function `findDeprecatedUsages`. */
  findDeprecatedUsages(
    account: Account,
    request: { readonly scans: readonly number[]; readonly apiIds: readonly number[] },
  ): Promise<ReadonlyMap<number, DeprecatedUsages>>
  readGauges(): Promise<readonly Gauge[]>
}

/** Dependencies of the service. */
export interface ScanDeps {
  readonly store: ScanStore
  readonly catalogue: Pick<
    CatalogueStore,
    | 'findApis'
    | 'findEndpointSummaries'
    | 'generation'
    | 'listFacts'
    | 'listAgreements'
    | 'listVendorAgreements'
  >
  /** Looks up geolocations of addresses. */
  readonly places: FindGeolocation | undefined
  readonly vulnerabilities: Omit<UsedApiSources, 'catalogue'> &
    Pick<Parameters<typeof createPackageReads>[0], 'findPackageVulnerabilities'>
  readonly accounts: Pick<AccountStore, 'listKeys'>
  /** Newest generation of the catalogue, with its matcher. */
  readonly current: () => Promise<{
    readonly generation: number
    readonly matcher: Pick<Matcher, 'match'>
  }>
  /** Vendors of hosts in the current catalogue. */
  readonly vendors: () => Promise<HostVendors>
  readonly limits: ScanLimits
  /** Retention of scans, in milliseconds; unlimited if undefined. */
  readonly keepMs: number | undefined
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** Creates the scan service. Starts no timers or background work. */
export function createScans(deps: ScanDeps): Scans {
  const { store, clock, random } = deps
  const analysis = createAnalysis(deps)
  const sweeper = createScanSweeper(deps)
  const uploads = createUploads({ store, analysis, limits: deps.limits, clock })
  const submissions = createSubmissions({ store, uploads, clock, random })
  const reads = createScanReads({ ...deps, analysis })

  async function runAfterSweep<T>(work: () => Promise<T>): Promise<T> {
    await sweeper.sweep()
    return work()
  }

  async function findReviewer(account: Account, keyId: string | undefined): Promise<string> {
    if (keyId === undefined) return account.name
    const keys = await deps.accounts.listKeys(account)
    return keys.find(({ id }) => id === keyId)?.name ?? account.name
  }

  /** Resolves hosts in a review to the URLs of their rows. */
  async function resolveReviewRows(
    account: Account,
    { scan, rows }: { readonly scan: ScanName; readonly rows: NewReview['rows'] },
  ): Promise<NewReview['rows']> {
    const found = await store.find(account, scan)
    return found ? resolveHostSubjects(store, { account, scan: found, rows }) : rows
  }

  return {
    ...reads,
    ...createScanOverviews({ ...deps, analysis }),
    ...createPackageReads({ reads, ...deps.vulnerabilities }),
    findProjects: (account, filter) => runAfterSweep(() => reads.findProjects(account, filter)),
    findNetworks: (account, filter) => runAfterSweep(() => reads.findNetworks(account, filter)),
    getNetwork: (account, id) => runAfterSweep(() => reads.getNetwork(account, id)),
    async *listNetworks(account) {
      await sweeper.sweep()
      yield* reads.listNetworks(account)
    },
    submitProject: (account, sent) => runAfterSweep(() => submissions.submitProject(account, sent)),
    submitNetwork: (account, sent) => runAfterSweep(() => submissions.submitNetwork(account, sent)),

    async remove(account, name) {
      if (!(await store.remove(account, name))) throw createScanNotFoundError(name)
      sweeper.markDue()
      await sweeper.sweep()
    },

    async review(account, { scan, review, keyId, person }) {
      const by = person ?? (await findReviewer(account, keyId))
      const rows = await resolveReviewRows(account, { scan, rows: review.rows })
      const stored = await store.review(account, {
        scan,
        review: { ...review, rows, by, at: clock() },
      })
      if (!stored) throw createScanNotFoundError(scan)
      if (stored.unknown.length > 0) throw createUnknownRowsError(review, stored.unknown)
      return stored
    },

    findScansUsingApi: (account, apiId) => findScansUsingApi(store, { account, apiId }),
    findDeprecatedUsages: (account, request) => findDeprecatedUsages(deps, { account, ...request }),

    async readGauges() {
      const totals = await store.totals()
      const toSamples = (pick: (total: (typeof totals)[number]) => number) =>
        totals.map((total) => ({ labels: { kind: total.kind }, value: pick(total) }))
      return [
        { name: 'scans', help: 'Stored scans, by kind.', samples: toSamples(({ scans }) => scans) },
        {
          name: 'scan_rows',
          help: 'Scanned endpoints and captured flows in stored scans, by kind of scan.',
          samples: toSamples(({ rows }) => rows),
        },
        {
          name: 'scan_rows_matched',
          help: 'Scanned endpoints and captured flows that match a catalogued API, by kind of scan.',
          samples: toSamples(({ matched }) => matched),
        },
      ]
    },
  }
}

function createUnknownRowsError(
  { rows }: Pick<NewReview, 'rows'>,
  unknown: readonly string[],
): ServiceError {
  const subjects = new Set(unknown)
  const issues = rows.flatMap(({ subject }, index) =>
    subjects.has(subject)
      ? [
          {
            in: 'body' as const,
            name: `endpoints.${index}.endpoint_url`,
            message: 'is not in the scan',
          },
        ]
      : [],
  )
  const names = [...subjects].map((subject) => `"${toDisplayName(subject)}"`)
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const listed = names.slice(0, MAX_NAMES).join(', ')
  const verb = names.length === 1 ? 'is' : 'are'
  const detail = `Cannot store the review: ${listed}${more} ${verb} not in the scan`
  return new ServiceError('invalid_input', detail, { issues: issues.slice(0, 100) })
}

/** Maximum number of unknown endpoints in a message. */
const MAX_NAMES = 5
