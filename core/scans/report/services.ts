import {
  ADDRESSES,
  type Finding,
  type FoundVia,
  type UsageKind,
  type UsageRole,
} from '../../code-scanner/model/finding.ts'
import { compareRoles, findUsageRole, listRoles } from '../../code-scanner/noise/usage-roles.ts'
import { parsePackageUrl } from '../../code-scanner/packages/package-urls.ts'
import { compareCodePoints } from '../../shared/text.ts'
import { findPurpose } from '../../vendors/purposes.ts'
import { findOwnDomain, isSharedDomain } from '../../vendors/shared-hosts.ts'
import { SELF_HOSTED_BASES } from '../../vendors/vendors.ts'
import { withoutBases } from './bases.ts'
import { type FindDecision, joinDecisions } from './decisions.ts'
import { compareEvidence, findSharedCalls, HIGH, MEDIUM, toLocationKey } from './locate-service.ts'
import { mergeUsages, type ReportedUsage, toKinds, toPackages, type UsageLocation } from './uses.ts'

/** How certain a finding is, in a word; see `toCertainty`. */
export type Certainty = 'high' | 'medium' | 'low'

/**
 * How a service without known endpoints is used: by a client library, by a tool (command, CI action,
 * image, Terraform provider), by a script of a page, by a setting, or by calls whose host users set.
 */
export type ServiceEvidence = 'library' | 'tool' | 'script' | 'setting' | 'user-set'

/** A third-party service that a project uses: a catalogued API, a vendor, or a host. */
export interface UsedService {
  /** Name of the API, else of the vendor, else the domain of the hosts. */
  readonly name: string
  /** Undefined when unknown. */
  readonly vendorName: string | undefined
  /** Undefined where no single API of the catalogue has it. */
  readonly apiId: number | undefined
  readonly apiName: string | undefined
  /** APIs of the vendor, one of which it is; empty where the API or no candidate is known. */
  readonly candidates: readonly string[]
  /** Those with the most locations first; none of calls whose host users set. */
  readonly hosts: readonly string[]
  /** What its APIs are for (`payments`), most frequent first; empty where unknown. */
  readonly purposes: readonly string[]
  /** By endpoint, URL and method; the client libraries of a vendor are one usage. */
  readonly uses: readonly ReportedUsage[]
  /** Number of endpoints in the code; 0 if only other evidence is known. */
  readonly endpoints: number
  /** Strongest evidence besides endpoints; undefined for none. */
  readonly evidence: ServiceEvidence | undefined
  /** Number of locations (file, line and column), without bases that other usages build on. */
  readonly locations: number
  readonly files: number
  /** Highest confidence of the findings, 0 to 1. */
  readonly confidence: number
  readonly certainty: Certainty
  /** Best evidence: by role, then calls, other URLs, imports and settings, manifests. */
  readonly location: UsageLocation
  /** Package URLs of client libraries, each once. */
  readonly packages: readonly string[]
  /** Types of AI services, and the models that the code requests of them; absent for none. */
  readonly kinds?: readonly UsageKind[]
  readonly models?: readonly string[]
  /** Present if the project is itself a client library of the service. */
  readonly isOwnClient?: true
  /** Most relevant role of the usages. */
  readonly role: UsageRole
  /** Roles of the usages, each once, most relevant first. */
  readonly roles: readonly UsageRole[]
}

/**
 * Returns the certainty of a confidence: `high` from 0.9, `medium` from 0.7.
 *
 * @example
 * ```ts
 * import { toCertainty } from 'api-discovery/scans'
 *
 * toCertainty(0.95) // 'high'
 * ```
 */
export function toCertainty(confidence: number): Certainty {
  if (confidence >= HIGH) return 'high'
  return confidence >= MEDIUM ? 'medium' : 'low'
}

/**
 * Lists the services that findings name: production code first, then catalogued APIs, then by
 * certainty, evidence (calls and imports, then manifests, then mere addresses), number of usages in
 * the main role, known vendors and name. Without `foldsHosts`, each uncatalogued host is a
 * service of its own; with it, hosts of one vendor or registrable domain are one. Downloads and
 * hosts of the project itself are services of their own.
 *
 * @example
 * ```ts
 * import { listServices } from 'api-discovery/scans'
 *
 * for (const { name, hosts, certainty } of listServices(found.findings)) {
 *   console.log(name, hosts.join(', '), certainty)
 * }
 * ```
 */
export function listServices(
  findings: readonly Finding[],
  options: { readonly foldsHosts?: boolean; readonly decide?: FindDecision } = {},
): readonly UsedService[] {
  const { foldsHosts = true, decide = joinDecisions([]) } = options
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = toGroupKey(finding, foldsHosts)
    const group = groups.get(key)
    if (group) group.push(finding)
    else groups.set(key, [finding])
  }
  const shared = findSharedCalls(findings)
  return [...groups.values()]
    .flatMap((group) =>
      toService(group, { decide, shared }).map((service) => ({
        service,
        ...measureEvidence(group, service.role),
      })),
    )
    .sort(
      ({ service: a, ...left }, { service: b, ...right }) =>
        compareRoles(a.role, b.role) ||
        toCatalogueRank(a) - toCatalogueRank(b) ||
        CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) ||
        left.evidence - right.evidence ||
        right.locations - left.locations ||
        b.locations - a.locations ||
        Number(a.vendorName === undefined) - Number(b.vendorName === undefined) ||
        compareCodePoints(a.name, b.name) ||
        compareCodePoints(a.hosts.join(), b.hosts.join()),
    )
    .map(({ service }) => service)
}

/** Evidence that code uses a service; dependencies that it may use; others are mere addresses. */
const EVIDENCE_RANKS: Partial<Record<FoundVia, number>> = {
  ...{ call: 0, base: 0, import: 0, 'own-package': 0 },
  ...{ manifest: 1, model: 1 },
}

/** Measures the evidence in the main role of a service: whether code uses it, and how often. */
function measureEvidence(
  findings: readonly Finding[],
  role: UsageRole,
): { readonly evidence: number; readonly locations: number } {
  const inRole = findings.filter((each) => findUsageRole(each) === role)
  return {
    evidence: Math.min(...inRole.map(({ via }) => EVIDENCE_RANKS[via] ?? 2)),
    locations: countLocations(mergeUsages(inRole)),
  }
}

function countLocations(uses: readonly ReportedUsage[]): number {
  return new Set(uses.flatMap(({ places }) => places.map(toLocationKey))).size
}

/** Counts endpoints; a URL without a method is none if a call has or extends it. */
function countEndpoints(findings: readonly Finding[]): number {
  const uses = mergeUsages(findings.filter(({ via }) => ADDRESSES.has(via)))
  const urls = uses.map(({ url, method }) => ({
    ...{ url, endpointUrl: url, method },
    via: method === undefined ? 'base' : 'call',
  }))
  return withoutBases(urls).length
}

/** Lists the purposes of the APIs that findings use, most frequent first. */
function listPurposes(findings: readonly Finding[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { url, vendorName, kind } of findings) {
    const purpose = findPurpose(url, vendorName) ?? (kind && KIND_PURPOSES[kind])
    if (purpose !== undefined) counts.set(purpose, (counts.get(purpose) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([purpose]) => purpose)
}

const KIND_PURPOSES: Record<UsageKind, string> = {
  'ai-models': 'AI models',
  'ai-observability': 'AI tracing',
  'ai-tools': 'AI tools',
  'mcp-server': 'MCP server',
  'vector-store': 'vector store',
}

const CERTAINTIES: readonly Certainty[] = ['high', 'medium', 'low']

function toCatalogueRank({ apiId, candidates }: UsedService): number {
  if (apiId !== undefined) return 0
  return candidates.length > 0 ? 1 : 2
}

function toGroupKey(finding: Finding, foldsHosts: boolean): string {
  const { apiId, host, vendorName, candidates = [] } = finding
  if (apiId !== undefined) return `api ${apiId}`
  const role = findUsageRole(finding)
  const kind = isApiRole(role) ? '' : `${role} `
  if (!foldsHosts) return `${kind}host ${host}`
  const owner = vendorName === undefined ? `domain ${toDomain(host)}` : `vendor ${vendorName}`
  return `${kind}${owner} ${candidates.join()}`
}

/**
 * Whether usages of the role are usages of a third-party API.
 *
 * @example
 * ```ts
 * import { isApiRole, listServices } from 'api-discovery/scans'
 *
 * const services = listServices(found.findings).filter(({ role }) => isApiRole(role))
 * ```
 */
export function isApiRole(role: UsageRole): boolean {
  return role !== 'download' && role !== 'own-host'
}

/** The domain of the host's owner; the host where others share it, or it is not known. */
function toDomain(host: string): string {
  const domain = findOwnDomain(host)
  return domain === undefined || isSharedDomain(domain) || !host.endsWith(domain) ? host : domain
}

function toService(
  findings: readonly Finding[],
  project: {
    readonly decide: FindDecision
    readonly shared: ReadonlySet<string>
  },
): readonly UsedService[] {
  const roles = listRoles(findings)
  const [role = 'production'] = roles
  const inRole = findings.filter((finding) => findUsageRole(finding) === role)
  const imports = new Map<string, number>()
  for (const { via, file } of inRole) {
    if (via === 'import') imports.set(file, (imports.get(file) ?? 0) + 1)
  }
  const [best] = inRole.sort((a, b) => compareEvidence(a, b, { shared: project.shared, imports }))
  if (!best) return []
  const counts = new Map<string, number>()
  for (const { host, via, url } of findings) {
    if (via === 'name' || (!ADDRESSES.has(via) && SELF_HOSTED_BASES.has(url))) continue
    counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  const hosts = [...counts]
    .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]))
    .map(([host]) => host)
  const [first = best.host] = hosts
  const { apiId, apiName, file, line, column } = best
  const vendorName = findings.find((finding) => finding.vendorName !== undefined)?.vendorName
  const confidence = Math.max(...findings.map((finding) => finding.confidence))
  const uses = mergeUsages(findings, project.decide)
  const places = uses.flatMap((use) => use.places)
  const ownClients = findings.filter(({ via }) => via === 'own-package')
  return [
    {
      name: apiName ?? vendorName ?? toDomain(first),
      ...{ vendorName, apiId, apiName, hosts, confidence },
      candidates: [...new Set(findings.flatMap(({ candidates = [] }) => candidates))],
      uses,
      endpoints: countEndpoints(findings),
      purposes: listPurposes(findings),
      evidence: findEvidence(findings),
      locations: countLocations(uses),
      files: new Set([...places, ...ownClients].map((place) => place.file)).size,
      certainty: toCertainty(confidence),
      location: { file, line, column },
      packages: toPackages(findings),
      ...toKinds(findings),
      ...(ownClients.length > 0 && { isOwnClient: true }),
      ...{ role, roles },
    },
  ]
}

function findEvidence(findings: readonly Finding[]): ServiceEvidence | undefined {
  const found = new Set(findings.map(toServiceEvidence))
  return EVIDENCE_TYPES.find((each) => found.has(each))
}

const EVIDENCE_TYPES: readonly ServiceEvidence[] = [
  'library',
  'tool',
  'script',
  'setting',
  'user-set',
]

function toServiceEvidence({ via, package: name }: Finding): ServiceEvidence | undefined {
  if (ADDRESSES.has(via)) return undefined
  if (via === 'config') return 'setting'
  if (via === 'name') return 'user-set'
  // Without a package: tags of scripts, and registries and tools that builds configure.
  if (name === undefined && via === 'import') return 'script'
  const isLibrary = name === undefined ? via !== 'manifest' : parsePackageUrl(name)
  return isLibrary ? 'library' : 'tool'
}
