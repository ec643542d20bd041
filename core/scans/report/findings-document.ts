import { groupFindings } from '../../code-scanner/find/group-findings.ts'
import type {
  Finding,
  FoundVia,
  ProjectFindings,
  UnmatchedHost,
  UnresolvedCall,
  UsageKind,
} from '../../code-scanner/model/finding.ts'
import { toRows, writeDocument } from '../../shared/json-document.ts'
import { type PackageDocument, toPackageDocument } from './package-document.ts'
import type { ProjectReport } from './project-report.ts'
import { listServices, type UsedService } from './services.ts'
import { toKinds, toPackages } from './uses.ts'

/** What `scan project --json` prints; what is unknown is absent. */
export interface FindingsDocument {
  readonly files: number
  /** Files that were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** One row for each place in the code. */
  readonly findings: readonly FindingDocument[]
  /** The catalogued APIs among the findings, by name. */
  readonly apis: readonly (UsageDocument & {
    readonly api_name: string
    readonly vendor_name: string
    readonly hosts: readonly string[]
  })[]
  /** The hosts of no catalogued API: most frequent first. */
  readonly unmatched: readonly (UsageDocument & {
    readonly host: string
    readonly vendor?: string
  })[]
  /** The hosts that several catalogued APIs of one vendor share: most frequent first. */
  readonly ambiguous: readonly (UsageDocument & {
    readonly host: string
    readonly vendor?: string
    readonly candidates: readonly string[]
  })[]
  /** The services that the project uses: catalogued APIs, then vendors and domains. */
  readonly services: readonly ServiceDocument[]
  /** Packages with CVEs of their versions; absent if there are none or they were not searched. */
  readonly vulnerable_packages?: readonly PackageDocument[]
  readonly project_name?: string
  /** Wrappers of the project file that the scan cannot follow; absent if there are none. */
  readonly unresolved_wrappers?: ProjectFindings['unresolvedWrappers']
}

/** One service with all its findings. */
export interface ServiceDocument {
  /** Name of the API, else of the vendor, else the domain of the hosts. */
  readonly name: string
  readonly api_name?: string
  readonly vendor_name?: string
  /** APIs of the vendor, one of which it is. */
  readonly candidates?: readonly string[]
  /** Those with the most locations first. */
  readonly hosts: readonly string[]
  /** How many; 0 where only client libraries are known. */
  readonly endpoints: number
  /** How many findings. */
  readonly locations: number
  /** How many files. */
  readonly files: number
  /** Highest confidence of the findings. */
  readonly confidence: number
  /** Location to look at first. */
  readonly file: string
  readonly line: number
  /** Package URLs, each once; absent where there is none. */
  readonly packages?: readonly string[]
  /** Types of AI services; absent where there is none. */
  readonly kinds?: readonly UsageKind[]
  /** Names of models, each once; absent where there is none. */
  readonly models?: readonly string[]
  /** Present if the project is itself a client library of the service. */
  readonly own_client?: true
  /** Present where only tests and generated files name it. */
  readonly tests_only?: true
}

/** The findings of one API or host, taken together. */
interface UsageDocument {
  /** How many findings. */
  readonly count: number
  /** How many files. */
  readonly files: number
  /** Package URLs, each once; absent where there is none. */
  readonly packages?: readonly string[]
  /** Types of AI services; absent where there is none. */
  readonly kinds?: readonly UsageKind[]
  /** Names of models, each once; absent where there is none. */
  readonly models?: readonly string[]
}

/** One finding as it is printed. */
export interface FindingDocument {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly url: string
  /** `endpointUrl`, where `url` is another. */
  readonly endpoint_url?: string
  /** Absent where the project does not tell it: `url` begins with `{}` then. */
  readonly host?: string
  readonly method?: string
  readonly via: FoundVia
  readonly confidence: number
  readonly endpoint_id?: string
  readonly api_name?: string
  readonly vendor_name?: string
  /** APIs of the vendor, one of which it is. */
  readonly candidates?: readonly string[]
  readonly package?: string
  /** Bases of other environments, which the code may choose instead of `url`. */
  readonly alternatives?: readonly string[]
  /** Type of an AI service. */
  readonly kind?: UsageKind
  /** Names of the models that the code requests of the service. */
  readonly models?: readonly string[]
}

/**
 * What a scan found as the document that scripts read.
 *
 * @example
 * ```ts
 * import { toFindingsDocument } from 'api-discovery/scans'
 *
 * const { findings } = toFindingsDocument(found, 'storefront')
 * for (const { file, line, url } of findings) console.log(`${file}:${line} ${url}`)
 * ```
 */
export function toFindingsDocument(
  found: DocumentedFindings,
  projectName?: string,
): FindingsDocument {
  const { files, skipped } = found
  return {
    files,
    skipped,
    findings: inOrder(found).map(toDocument),
    ...toGroups(found),
    services: listServices(found.findings).map(toServiceDocument),
    ...toOptional(found, projectName),
  }
}

/**
 * Writes that document in chunks of UTF-8; a part of it is in memory at a time.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { writeFindingsDocument } from 'api-discovery/scans'
 *
 * await writeFile('scan.json', writeFindingsDocument(found, 'storefront'))
 * ```
 */
export function writeFindingsDocument(
  found: DocumentedFindings,
  projectName?: string,
): AsyncIterable<Uint8Array> {
  const { files, skipped } = found
  return writeDocument({
    files,
    skipped,
    findings: toRows(inOrder(found), toDocument),
    ...toGroups(found),
    services: listServices(found.findings).map(toServiceDocument),
    ...toOptional(found, projectName),
  })
}

/** Findings with the packages of a report. */
type DocumentedFindings = ProjectFindings & {
  readonly vulnerablePackages?: ProjectReport['vulnerablePackages'] | undefined
}

/** Members that are absent if there is nothing to say. */
function toOptional(
  { unresolvedWrappers: wrappers, vulnerablePackages: packages = [] }: DocumentedFindings,
  projectName: string | undefined,
): Pick<FindingsDocument, 'project_name' | 'unresolved_wrappers' | 'vulnerable_packages'> {
  return {
    ...(packages.length > 0 && { vulnerable_packages: packages.map(toPackageDocument) }),
    ...(projectName !== undefined && { project_name: projectName }),
    ...(wrappers && { unresolved_wrappers: wrappers }),
  }
}

/** All that is called, in order of files and their texts. */
function inOrder({ findings, unresolved }: ProjectFindings): readonly (Finding | UnresolvedCall)[] {
  if (unresolved.length === 0) return findings
  return [...findings, ...unresolved].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function toDocument(finding: Finding | UnresolvedCall): FindingDocument {
  if (!('host' in finding)) {
    const { method, ...rest } = finding
    return method === undefined ? rest : { ...rest, method }
  }
  return {
    file: finding.file,
    line: finding.line,
    column: finding.column,
    url: finding.url,
    ...(finding.endpointUrl === finding.url ? {} : { endpoint_url: finding.endpointUrl }),
    host: finding.host,
    ...(finding.method === undefined ? {} : { method: finding.method }),
    via: finding.via,
    confidence: finding.confidence,
    ...(finding.endpointId === undefined ? {} : { endpoint_id: finding.endpointId }),
    ...(finding.apiName === undefined ? {} : { api_name: finding.apiName }),
    ...(finding.vendorName === undefined ? {} : { vendor_name: finding.vendorName }),
    ...(finding.candidates === undefined ? {} : { candidates: finding.candidates }),
    ...(finding.package === undefined ? {} : { package: finding.package }),
    ...(finding.alternatives === undefined ? {} : { alternatives: finding.alternatives }),
    ...(finding.kind === undefined ? {} : { kind: finding.kind }),
    ...(finding.models === undefined ? {} : { models: finding.models }),
  }
}

/** The findings by API, else by host. */
function toGroups({
  findings,
  unmatched,
  ambiguous,
}: ProjectFindings): Pick<FindingsDocument, 'apis' | 'unmatched' | 'ambiguous'> {
  const { byApi, byHost, byAmbiguousHost } = groupFindings(findings)
  const apis = [...byApi.values()].flatMap(([first, ...others]) =>
    first ? [toApiGroup(first, others)] : [],
  )
  return {
    apis: apis.sort(
      (a, b) => compare(a.api_name, b.api_name) || compare(a.vendor_name, b.vendor_name),
    ),
    unmatched: unmatched.map((host) => ({
      ...toHostNames(host),
      ...toUsage(byHost.get(host.host) ?? []),
    })),
    ambiguous: ambiguous.map((host) => ({
      ...toHostNames(host),
      candidates: host.candidates,
      ...toUsage(byAmbiguousHost.get(host.host) ?? []),
    })),
  }
}

function toServiceDocument(service: UsedService): ServiceDocument {
  const { name, apiName, vendorName, candidates, hosts, endpoints, packages, location } = service
  const { kinds, models } = service
  return {
    name,
    ...(apiName === undefined ? {} : { api_name: apiName }),
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    ...(candidates.length === 0 ? {} : { candidates }),
    ...{ hosts, endpoints, locations: service.locations, files: service.files },
    ...{ confidence: service.confidence, file: location.file, line: location.line },
    ...(packages.length === 0 ? {} : { packages }),
    ...(kinds && { kinds }),
    ...(models && { models }),
    ...(service.isOwnClient && { own_client: true as const }),
    ...(service.isTestOnly ? { tests_only: true as const } : {}),
  }
}

function toHostNames({ host, vendorName }: UnmatchedHost) {
  return vendorName === undefined ? { host } : { host, vendor: vendorName }
}

function toApiGroup(first: Finding, others: readonly Finding[]): FindingsDocument['apis'][number] {
  const all = [first, ...others]
  return {
    api_name: first.apiName ?? '',
    vendor_name: first.vendorName ?? '',
    hosts: [...new Set(all.map(({ host }) => host))].sort(),
    ...toUsage(all),
  }
}

function toUsage(findings: readonly Finding[]): UsageDocument {
  const packages = toPackages(findings)
  return {
    count: findings.length,
    files: new Set(findings.map(({ file }) => file)).size,
    ...(packages.length === 0 ? {} : { packages }),
    ...toKinds(findings),
  }
}
