import type { ListedJob } from '../../../core/jobs/index.ts'
import type { RateLimitTests } from '../../../core/rate-limits/index.ts'
import type { CountedScan, DeprecatedUsages } from '../../../core/scans/index.ts'
import type { ApiFacts } from '../../../core/storage.ts'
import { findKnownVulnerabilities } from '../../../core/vulnerabilities/index.ts'
import type { ViewedRequest } from '../page.ts'

/** Data of an account's overview. */
export interface Figures {
  readonly apis: number
  readonly endpoints: number
  readonly vendors: number
  /** When a description was last imported, in milliseconds since the epoch; undefined if never. */
  readonly importedAt: number | undefined
  readonly vulnerabilities: Awaited<ReturnType<typeof readStatus>>
  /** Number of projects and networks that were scanned. */
  readonly scannedCount: number
  /** The newest scan of each project and network, newest first, at most `MAX_SCANS`. */
  readonly scans: readonly CountedScan[]
  readonly runs: number
  /** Rate-limit tests and other jobs of the account that have not ended, newest first. */
  readonly openRuns: ListedRuns
  readonly openJobs: readonly ListedJob[]
  /** APIs in use with their findings, at most `MAX_APIS`. */
  readonly apisInUse: readonly UsedApi[]
  /** Number of catalogued APIs that `scans` use. */
  readonly apisInUseCount: number
}

type ListedRuns = Awaited<ReturnType<RateLimitTests['list']>>['items']

/** A catalogued API that a scan found in use. */
export interface UsedApi {
  readonly facts: ApiFacts
  /** Number of exploited CVEs. They are matched by name only, so they are unconfirmed. */
  readonly exploited: number
  readonly exploitedIds: readonly string[]
  /** Undefined if no scan uses a deprecated endpoint of the API. */
  readonly deprecated: DeprecatedUsages | undefined
}

/** Limits on the scans, APIs and jobs examined: the page stays fast for any amount of data. */
const MAX_SCANS = 20
const MAX_APIS = 10
const MAX_OPEN = 10

/** Reads the overview of the viewer's account. */
export async function readFigures(request: ViewedRequest): Promise<Figures> {
  const { app, viewer } = request
  const { account } = viewer.caller
  const page = { page: 1, size: MAX_OPEN }
  const [facts, importedAt, vulnerabilities, scans, runs, running, queued] = await Promise.all([
    app.catalogue.listFacts(),
    app.imports.findLatestTime(),
    readStatus(request),
    app.scans.listGroups(account, { page: 1, size: MAX_SCANS }),
    app.rateLimits.list(account, page),
    app.jobs.list(account, { ...page, state: 'running' }),
    app.jobs.list(account, { ...page, state: 'queued' }),
  ])
  const openRuns = runs.items.filter(({ state }) => state === 'queued' || state === 'running')
  const ofRuns = new Set(openRuns.map(({ jobId }) => jobId))
  const using = findUsedApis(facts, scans.items)
  return {
    apis: facts.length,
    endpoints: facts.reduce((sum, { endpoints }) => sum + endpoints, 0),
    vendors: new Set(facts.map(({ vendor }) => vendor.id)).size,
    importedAt: importedAt ?? findNewestCreation(facts),
    vulnerabilities,
    scannedCount: scans.total,
    scans: scans.items,
    runs: runs.total,
    openRuns,
    openJobs: [...running.items, ...queued.items].filter(({ id }) => !ofRuns.has(id)),
    apisInUse: await readUsedApis(request, { apis: using.slice(0, MAX_APIS), scans: scans.items }),
    apisInUseCount: using.length,
  }
}

/** Returns the creation time of the newest API, for data imported before imports were recorded. */
function findNewestCreation(facts: readonly ApiFacts[]): number | undefined {
  return facts.length === 0 ? undefined : facts.reduce((at, api) => Math.max(at, api.createdAt), 0)
}

function readStatus(request: ViewedRequest) {
  return request.call('getVulnerabilityStatus', {})
}

/** Finds the catalogued APIs that scans use, starting with those of the newest scans. */
function findUsedApis(
  facts: readonly ApiFacts[],
  scans: readonly CountedScan[],
): readonly ApiFacts[] {
  const byId = new Map(facts.map((each) => [each.id, each]))
  const ids = new Set(scans.flatMap(({ apis }) => apis.flatMap(({ apiId }) => apiId ?? [])))
  return [...ids].flatMap((id) => byId.get(id) ?? [])
}

/** Collects the findings of each API, one API after the other. */
async function readUsedApis(
  { app, viewer }: ViewedRequest,
  { apis, scans }: { readonly apis: readonly ApiFacts[]; readonly scans: readonly CountedScan[] },
): Promise<readonly UsedApi[]> {
  const deprecated = await app.scans.findDeprecatedUsages(viewer.caller.account, {
    scans: scans.map(({ scan }) => scan.number),
    apiIds: apis.filter((facts) => facts.deprecated > 0).map(({ id }) => id),
  })
  const used: UsedApi[] = []
  for (const facts of apis) {
    const api = { name: facts.name, vendorName: facts.vendor.name }
    const known = await findKnownVulnerabilities(app.vulnerabilities, { api, limit: 3 })
    const found = known.found.filter(({ isExploited }) => isExploited).map(({ id }) => id)
    const uses = deprecated.get(facts.id)
    used.push({ facts, exploited: known.exploited, exploitedIds: found, deprecated: uses })
  }
  return used
}
