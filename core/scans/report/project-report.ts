import { groupFindings } from '../../code-scanner/find/group-findings.ts'
import {
  type Finding,
  FOUND_VIA,
  type FoundVia,
  type ProjectFindings,
  type UnmatchedHost,
  type UsageKind,
} from '../../code-scanner/model/finding.ts'
import type { UsedPackage } from '../../shared/package-urls.ts'
import { compareCodePoints } from '../../shared/text.ts'
import type { Approval, ReviewedPackage } from '../records.ts'
import type { ApiFacts } from './api-facts.ts'
import type { FindDecision } from './decisions.ts'
import { mergeUsages, type ReportedUsage, toKinds, type UsageLocation } from './uses.ts'

/** What a project uses, API by API, with what is known and decided of it. */
export interface ProjectReport {
  /** Files that were read. */
  readonly files: number
  /** Files that were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** By name, then vendor. */
  readonly apis: readonly ReportedApi[]
  /**
   * Hosts that several catalogued APIs of one vendor share, then those that no catalogued API has:
   * most frequent first, then by name.
   */
  readonly hosts: readonly ReportedHost[]
  /** Packages with CVEs of their versions; empty if the vulnerabilities were not searched. */
  readonly vulnerablePackages: readonly ReportedPackage[]
  /** Client libraries of vendors that the project implements: one finding per vendor. */
  readonly ownClients: readonly Finding[]
}

/** A used package with CVEs of its version. */
export interface ReportedPackage extends ReviewedPackage {
  /** Where manifests name the package. */
  readonly places: readonly UsageLocation[]
}

/** What was decided on several uses together: `partly` when they differ and none is refused. */
export type JointApproval = Approval | 'partly'

/** What uses of one API or host have in common. */
interface Reported {
  /**
   * Those of a known endpoint first, then by URL and method. A base that others are built on is none
   * of its own.
   */
  readonly uses: readonly ReportedUsage[]
  /** How many files. */
  readonly files: number
  /** How it was found, surest ways first. */
  readonly via: readonly FoundVia[]
  /** Types of AI services, and the models that the code requests of them; absent for none. */
  readonly kinds?: readonly UsageKind[]
  readonly models?: readonly string[]
  readonly approval: JointApproval
}

/** A catalogued API that a project uses. */
export interface ReportedApi extends Reported, ApiFacts {}

/** A host that a project uses and that names no single catalogued API; `count` is of its places. */
export interface ReportedHost extends Reported, UnmatchedHost {
  /** See `AmbiguousHost`; absent for a host that no catalogued API has. */
  readonly candidates?: readonly string[]
}

/**
 * Groups what a scan found. APIs of which there are no facts have only their names.
 *
 * @example
 * ```ts
 * import { buildProjectReport, joinDecisions, readApiFacts } from 'api-discovery/scans'
 *
 * const ids = found.findings.flatMap(({ apiId }) => (apiId === undefined ? [] : [apiId]))
 * const facts = await readApiFacts({ catalogue: storage.catalogue }, ids)
 * const report = buildProjectReport(found, { facts, decide: joinDecisions([]) })
 * for (const { name, files } of report.apis) console.log(name, files)
 * ```
 */
export function buildProjectReport(
  found: ProjectFindings,
  known: {
    readonly facts: ReadonlyMap<number, ApiFacts>
    readonly decide: FindDecision
    /** Packages with CVEs, from `findPackageVulnerabilities` and `addCveReviews`. */
    readonly vulnerablePackages?: readonly ReviewedPackage[] | undefined
  },
): ProjectReport {
  const { byApi, byHost, byAmbiguousHost } = groupFindings(found.findings)
  return {
    files: found.files,
    vulnerablePackages: (known.vulnerablePackages ?? []).map((vulnerable) => ({
      ...vulnerable,
      places: findManifests(found.findings, vulnerable),
    })),
    ownClients: found.findings.filter(({ via }) => via === 'own-package'),
    skipped: found.skipped,
    apis: [...byApi]
      .map(([id, findings]) => ({
        ...(known.facts.get(id) ?? toFacts(id, findings)),
        ...toReported(findings, known.decide),
      }))
      .sort(
        (a, b) =>
          compareCodePoints(a.name, b.name) ||
          compareCodePoints(a.vendorName, b.vendorName) ||
          a.id - b.id,
      ),
    hosts: [
      ...found.ambiguous.map((host) => ({
        ...host,
        ...toReported(byAmbiguousHost.get(host.host) ?? [], known.decide),
      })),
      ...found.unmatched.map((host) => ({
        ...host,
        ...toReported(byHost.get(host.host) ?? [], known.decide),
      })),
    ],
  }
}

function findManifests(
  findings: readonly Finding[],
  { purl }: UsedPackage,
): readonly UsageLocation[] {
  return findings
    .filter((one) => one.package === purl || one.lowestPackage === purl)
    .map(({ file, line, column }) => ({ file, line, column }))
}

function toReported(findings: readonly Finding[], decide: FindDecision): Reported {
  const uses = mergeUsages(findings, decide).toSorted(
    (a, b) =>
      Number(b.endpointId !== undefined) - Number(a.endpointId !== undefined) ||
      compareCodePoints(a.url, b.url) ||
      compareCodePoints(a.method ?? '', b.method ?? ''),
  )
  const via = new Set(findings.map((finding) => finding.via))
  return {
    uses,
    files: new Set(findings.map(({ file }) => file)).size,
    // The project's own client library is no usage.
    via: FOUND_VIA.filter((way) => way !== 'own-package' && via.has(way)),
    ...toKinds(findings),
    approval: joinApprovals(uses),
  }
}

/**
 * Joins the approvals of usages.
 *
 * @example
 * ```ts
 * import { joinApprovals } from 'api-discovery/scans'
 *
 * joinApprovals([{ approval: 'yes' }, { approval: 'unreviewed' }]) // 'partly'
 * ```
 */
export function joinApprovals(uses: readonly Pick<ReportedUsage, 'approval'>[]): JointApproval {
  const approvals = new Set(uses.map(({ approval }) => approval))
  if (approvals.has('no')) return 'no'
  if (!approvals.has('yes')) return 'unreviewed'
  return approvals.has('unreviewed') ? 'partly' : 'yes'
}

function toFacts(id: number, [first]: readonly Finding[]): ApiFacts {
  return {
    id,
    name: first?.apiName ?? String(id),
    version: '',
    vendorName: first?.vendorName ?? '',
    terms: [],
    exploited: undefined,
  }
}
