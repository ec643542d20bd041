import type {
  EvaluatedApi,
  EvaluatedHost,
  EvaluatedPackage,
  EvaluatedUsage,
} from '../../core/assessments/index.ts'
import {
  addCveReviews,
  buildProjectReport,
  groupEndpoints,
  listUsedPackages,
  mergeUsages,
  type ScannedEndpoint,
} from '../../core/scans/index.ts'
import type { AssessOptions, AssessTarget } from './assess-options.ts'
import { CommandError } from './errors.ts'
import { findApi } from './find-api.ts'
import { findReviewDecisions, scanProjectFolder } from './folder-scan.ts'
import { type Io, toPrintable } from './io.ts'
import { createPackageFinder, type LocalCatalogue } from './local-catalogue.ts'
import type { PackageCheck } from './package-table.ts'
import { printScanSummary } from './scan-summary.ts'
import type { ServiceOfAccount } from './service.ts'

/** Assessed APIs and uncatalogued hosts of a subject. */
export interface AssessedSubject {
  readonly kind: AssessTarget['kind']
  readonly name: string
  readonly apis: readonly EvaluatedApi[]
  /** Hosts without a catalogued API, or with several APIs of one vendor. */
  readonly hosts: readonly EvaluatedHost[]
  /** Packages with CVEs of their versions; empty for an API. */
  readonly packages: readonly EvaluatedPackage[]
  readonly packageCheck: PackageCheck
  /** Number of files read from a folder; undefined for other subjects. */
  readonly files: number | undefined
}

/** Dependencies of a subject lookup. */
interface SubjectLookup {
  readonly io: Io
  /** Undefined without a database, for a folder. */
  readonly service: ServiceOfAccount | undefined
  readonly known: LocalCatalogue
  readonly options: AssessOptions
}

/**
 * Finds the APIs of a subject and assesses each. Throws a `UsageError` if the name is ambiguous.
 */
export async function assessSubject(
  lookup: SubjectLookup,
  target: AssessTarget,
): Promise<AssessedSubject> {
  const { kind, name } = target
  const { apis, hosts, packages = [], usedPackages = 0, files } = await findUsedApis(lookup, target)
  const assessed = lookup.service ? await assessApis(lookup.service, apis) : []
  return {
    kind,
    name: kind === 'api' ? toSubjectName(assessed, name) : name,
    apis: assessed,
    hosts,
    packages,
    packageCheck: {
      used: usedPackages,
      vulnerable: packages.length,
      cveRecords: lookup.known.cveRecords,
    },
    files,
  }
}

async function assessApis(
  { app, caller, storage }: ServiceOfAccount,
  apis: UsedApis['apis'],
): Promise<readonly EvaluatedApi[]> {
  const assessed: EvaluatedApi[] = []
  for (const { id, uses } of apis) {
    const [api] = await storage.catalogue.findApis([id])
    // Deleted since the lookup.
    if (!api) continue
    assessed.push({ ...(await app.assessments.assess(api, caller.account)), uses })
  }
  return assessed
}

interface UsedApis {
  readonly apis: readonly { readonly id: number; readonly uses: readonly EvaluatedUsage[] }[]
  readonly hosts: readonly EvaluatedHost[]
  readonly packages?: readonly EvaluatedPackage[]
  /** Number of packages in a known version. */
  readonly usedPackages?: number
  readonly files?: number
}

async function findUsedApis(lookup: SubjectLookup, target: AssessTarget): Promise<UsedApis> {
  if (target.kind === 'folder') return scanFolderTarget(lookup, target)
  const { io, service, known } = lookup
  if (!service) return { apis: [], hosts: [] }
  if (target.kind === 'project') return readStoredProject({ service, known }, target)
  const api = await findApi({ io, service }, { name: target.name, verb: 'assess' })
  return { apis: [{ id: api.id, uses: [] }], hosts: [] }
}

async function scanFolderTarget(
  { io, known, options }: SubjectLookup,
  { scan }: AssessTarget & { readonly kind: 'folder' },
): Promise<UsedApis> {
  const scanInputs = { plan: scan, options, known }
  const decide = await findReviewDecisions(io, scanInputs)
  const startedAt = Date.now()
  const found = await scanProjectFolder(io, scanInputs)
  const seconds = (Date.now() - startedAt) / 1000
  const findPackages = createPackageFinder(known, { reviews: scan.cveReviews })
  const used = listUsedPackages(mergeUsages(found.findings))
  const vulnerablePackages = await findPackages(used)
  const report = buildProjectReport(found, { facts: new Map(), decide, vulnerablePackages })
  const { apis, hosts, files } = report
  printScanSummary(io, { found, seconds, hasHint: apis.length === 0 })
  const packages = report.vulnerablePackages
  return { apis, hosts, packages, usedPackages: used.length, files }
}

async function readStoredProject(
  { service, known }: { readonly service: ServiceOfAccount; readonly known: LocalCatalogue },
  { name, cveReviews }: AssessTarget & { readonly kind: 'project' },
): Promise<UsedApis> {
  const { app, caller } = service
  const find = (filter: { readonly name?: string; readonly projectId?: string }) =>
    app.scans.findProjects(caller.account, { ...filter, limit: 1 })
  const [project] = [...(await find({ projectId: name })), ...(await find({ name }))]
  if (!project) {
    throw new CommandError(
      toPrintable(
        `Project "${name}" not found. List the scans of an account: api-discovery scans list --account NAME`,
      ),
    )
  }
  const endpoints: ScannedEndpoint[] = []
  const request = { projectId: project.id, order: 'scan' } as const
  for await (const page of app.scans.listEndpoints(caller.account, request)) endpoints.push(...page)
  const { checked, vulnerable } = await app.scans.findScannedPackages(caller.account, project.id)
  const groups = groupEndpoints(endpoints, known.catalogue)
  return { ...groups, packages: addCveReviews(vulnerable, cveReviews), usedPackages: checked }
}

function toSubjectName([only]: readonly EvaluatedApi[], name: string): string {
  return only ? `${only.facts.api.vendor.name}/${only.facts.api.name}` : name
}
