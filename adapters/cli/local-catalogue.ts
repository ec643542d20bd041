import type { FindVulnerabilities } from '../../core/boms/index.ts'
import type { Account } from '../../core/index.ts'
import {
  type ApiFacts,
  addCveReviews,
  type CveReview,
  type ProjectFindings,
  type ReviewedPackage,
  readApiFacts,
  type ScanCatalogue,
  type ScanCheck,
  type UsageDecision,
  type UsedPackage,
} from '../../core/scans/index.ts'
import {
  findKnownVulnerabilities,
  findPackageVulnerabilities,
} from '../../core/vulnerabilities/index.ts'
import { isMissing } from './database.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'
import {
  findDatabase,
  type GlobalOptions,
  OPERATOR,
  type OpenService,
  withService,
} from './service.ts'

/** The local catalogue of a scan. */
export interface LocalCatalogue {
  /** Undefined without a database. */
  readonly service: OpenService | undefined
  readonly catalogue: ScanCatalogue
  /** Why a scan can report only vendors and hosts; undefined if the catalogue has APIs. */
  readonly emptyReason: string | undefined
  /** Number of loaded CVE records, without rejected ones. */
  readonly cveRecords: number
  /** Whether the KEV catalogue is loaded. */
  readonly hasExploited: boolean
}

/** Advice for an empty catalogue. */
export const IMPORT_ADVICE =
  'import descriptions with "api-discovery import FILE", or select a database with --database'

/** The catalogue without a database. */
export const NO_CATALOGUE: LocalCatalogue = {
  service: undefined,
  catalogue: { match: () => undefined },
  emptyReason: `No catalogue found, so only vendors and hosts are reported. To match APIs, ${IMPORT_ADVICE}.`,
  cveRecords: 0,
  hasExploited: false,
}

/** Whether the default database does not exist. A missing database that was named is an error. */
export function hasNoDatabase(io: Io, options: GlobalOptions): boolean {
  const address = findDatabase(io, options)
  const isNamed = Boolean(options.database ?? io.environment.API_DISCOVERY_DATABASE)
  return !isNamed && isMissing(address)
}

/** Opens the local catalogue for one scan, if there is a database. */
export function withLocalCatalogue<T>(
  io: Io,
  options: GlobalOptions,
  work: (known: LocalCatalogue) => Promise<T>,
): Promise<T> {
  if (hasNoDatabase(io, options)) return work(NO_CATALOGUE)
  const address = findDatabase(io, options)
  if (address.kind === 'sqlite' && isMissing(address)) {
    const advice =
      options.database === undefined ? 'unset API_DISCOVERY_DATABASE' : 'omit --database'
    throw new CommandError(
      `Cannot open the database ${address.file}: file not found. Scans need no database: ${advice}, or create it with "migrate", "import" or "sync".`,
    )
  }
  return withService(io, { ...options, mustExist: true }, async (service) =>
    work(await readLocalCatalogue(service)),
  )
}

/** Reads the catalogue of a service. */
export async function readLocalCatalogue(service: OpenService): Promise<LocalCatalogue> {
  const { total } = await service.storage.catalogue.listApis({}, { page: 1, size: 1 })
  const { records, rejected, exploited } = await service.app.vulnerabilities.status()
  return {
    service,
    catalogue: await service.app.loadScanCatalogue(),
    emptyReason:
      total === 0
        ? `The catalogue is empty, so only vendors and hosts are reported. To match APIs, ${IMPORT_ADVICE}.`
        : undefined,
    cveRecords: records - rejected,
    hasExploited: exploited > 0,
  }
}

/** Throws a `CommandError` for checks that can only pass because their data is not loaded. */
export function assertCheckDataLoaded(known: LocalCatalogue, checks: ReadonlySet<ScanCheck>): void {
  if (checks.has('no-terms') && known.emptyReason !== undefined) {
    throw new CommandError(`Cannot check no-terms: the catalogue is empty; ${IMPORT_ADVICE}`)
  }
  if (checks.has('kev') && known.cveRecords === 0) {
    throw new CommandError('Cannot check kev: no vulnerabilities are loaded; run "sync all" first')
  }
  if (checks.has('kev') && !known.hasExploited) {
    throw new CommandError(
      'Cannot check kev: the KEV catalogue is not loaded; run "sync kev" first',
    )
  }
}

/** Creates a lookup of CVEs by vendor and product; undefined if none are loaded. */
export function createVulnerabilityFinder({
  service,
  cveRecords,
}: LocalCatalogue): FindVulnerabilities | undefined {
  if (!service || cveRecords === 0) return undefined
  return (request) => findKnownVulnerabilities(service.app.vulnerabilities, request)
}

/** Finds the CVEs of packages in their versions, with reviews; none without a database. */
export type FindReviewedPackages = (
  packages: readonly UsedPackage[],
) => Promise<readonly ReviewedPackage[]>

/** Creates a lookup of CVEs by package and version. */
export function createPackageFinder(
  { service, cveRecords }: LocalCatalogue,
  options: {
    readonly reviews: readonly CveReview[]
    /** See `findPackageVulnerabilities`. */
    readonly limit?: number | undefined
  },
): FindReviewedPackages {
  if (!service || cveRecords === 0) return async () => []
  const { reviews, limit } = options
  const { vulnerabilities } = service.app
  return async (packages) =>
    addCveReviews(await findPackageVulnerabilities(vulnerabilities, { packages, limit }), reviews)
}

/** Reads the facts of the APIs that a scan found, by API ID. */
export async function readFactsOfFindings(
  known: LocalCatalogue,
  request: { readonly found: ProjectFindings; readonly withVulnerabilities: boolean },
): Promise<ReadonlyMap<number, ApiFacts>> {
  if (!known.service) return new Map()
  const ids = request.found.findings.flatMap(({ apiId }) => (apiId === undefined ? [] : [apiId]))
  const { catalogue } = known.service.storage
  const findVulnerabilities = request.withVulnerabilities
    ? createVulnerabilityFinder(known)
    : undefined
  return readApiFacts({ catalogue, findVulnerabilities }, ids)
}

/**
 * Reads the review decisions of the newest stored scan of a project. Without `account`, uses the
 * only account with such a scan. If several accounts have one, prints a note and returns no
 * decisions.
 */
export async function readStoredDecisions(
  io: Io,
  request: { readonly service: OpenService } & {
    readonly name: string
    readonly account: string | undefined
  },
): Promise<readonly UsageDecision[]> {
  const { name, account: wanted } = request
  const { accounts, scans } = request.service.app
  const candidates: readonly Account[] =
    wanted === undefined
      ? [OPERATOR.account, ...(await accounts.listAccounts())]
      : [await accounts.getAccount(wanted)]
  const found: { readonly account: Account; readonly projectId: string }[] = []
  for (const account of candidates) {
    const [project] = await scans.findProjects(account, { name, limit: 1 })
    if (project) found.push({ account, projectId: project.id })
  }
  const [only, another] = found
  if (!only) return []
  if (another) {
    io.note(
      `Reviews of "${name}" are ignored: ${found.length} accounts have a project with this name. Select one with --account.`,
    )
    return []
  }
  const decisions: UsageDecision[] = []
  const { account, projectId } = only
  for await (const page of scans.listEndpoints(account, { projectId, order: 'scan' })) {
    for (const { url, method, approval, reason } of page) {
      if (approval !== 'unreviewed') decisions.push({ url, method, approval, reason })
    }
  }
  return decisions
}
