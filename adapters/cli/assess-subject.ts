import type { EvaluatedApi, EvaluatedHost, EvaluatedUsage } from '../../core/assessments/index.ts'
import type { ScannedEndpoint } from '../../core/index.ts'
import { buildProjectReport, groupEndpoints } from '../../core/scans/index.ts'
import type { AssessOptions, AssessTarget } from './assess-options.ts'
import { CommandError } from './errors.ts'
import { findApi } from './find-api.ts'
import { type Io, toPrintable } from './io.ts'
import { findDecisions, findUses } from './project-scan.ts'
import type { KnownApis } from './scan-catalogue.ts'
import { printSummary } from './scan-table.ts'
import type { ServiceOfAccount } from './service.ts'

/** Assessed APIs and uncatalogued hosts of a subject. */
export interface AssessedSubject {
  readonly kind: AssessTarget['kind']
  readonly name: string
  readonly apis: readonly EvaluatedApi[]
  /** Hosts without a catalogued API, or with several APIs of one vendor. */
  readonly hosts: readonly EvaluatedHost[]
  /** Number of files read from a folder; undefined for other subjects. */
  readonly files: number | undefined
}

/** Dependencies of a subject lookup. */
interface Given {
  readonly io: Io
  readonly service: ServiceOfAccount
  readonly known: KnownApis
  readonly options: AssessOptions
}

/**
 * Finds the APIs of a subject and assesses each. Throws a `UsageError` if the name is ambiguous.
 */
export async function findSubject(given: Given, target: AssessTarget): Promise<AssessedSubject> {
  const { kind, name } = target
  const { apis, hosts, files } = await findUsed(given, target)
  const { app, caller, storage } = given.service
  const assessed: EvaluatedApi[] = []
  for (const { id, uses } of apis) {
    const [api] = await storage.catalogue.findApis([id])
    // Deleted since the lookup.
    if (!api) continue
    assessed.push({ ...(await app.assessments.assess(api, caller.account)), uses })
  }
  return {
    kind,
    name: kind === 'api' ? toName(assessed, name) : name,
    apis: assessed,
    hosts,
    files,
  }
}

interface Used {
  readonly apis: readonly { readonly id: number; readonly uses: readonly EvaluatedUsage[] }[]
  readonly hosts: readonly EvaluatedHost[]
  readonly files?: number
}

async function findUsed(given: Given, target: AssessTarget): Promise<Used> {
  if (target.kind === 'folder') return scanTarget(given, target)
  if (target.kind === 'project') return readProject(given, target.name)
  return {
    apis: [{ id: (await findApi(given, { name: target.name, verb: 'assess' })).id, uses: [] }],
    hosts: [],
  }
}

async function scanTarget(
  { io, known, options }: Given,
  { scan }: AssessTarget & { readonly kind: 'folder' },
): Promise<Used> {
  const startedAt = Date.now()
  const given = { plan: scan, options, known }
  const found = await findUses(io, given)
  const seconds = (Date.now() - startedAt) / 1000
  const decide = await findDecisions(io, given)
  const { apis, hosts, files } = buildProjectReport(found, { facts: new Map(), decide })
  printSummary(io, { found, seconds, hasHint: apis.length === 0 })
  return { apis, hosts, files }
}

async function readProject({ service, known }: Given, name: string): Promise<Used> {
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
  return groupEndpoints(endpoints, known.catalogue)
}

function toName([only]: readonly EvaluatedApi[], name: string): string {
  return only ? `${only.facts.api.vendor.name}/${only.facts.api.name}` : name
}
