import { groupFindings } from '../../code-scanner/find/group-findings.ts'
import type {
  Finding,
  ProjectFindings,
  UnmatchedHost,
  UnresolvedCall,
  UsageRole,
} from '../../code-scanner/model/finding.ts'
import { findFileRole } from '../../code-scanner/noise/path-roles.ts'
import { compareRoles, findMainRole, findUsageRole } from '../../code-scanner/noise/usage-roles.ts'
import { toRows, writeDocument } from '../../shared/json-document.ts'
import { compareCodePoints } from '../../shared/text.ts'
import type {
  FindingDocument,
  FindingsDocument,
  ServiceDocument,
  UsageDocument,
} from './document-types.ts'
import { toPackageDocument } from './package-document.ts'
import type { ProjectReport } from './project-report.ts'
import { listServices, type UsedService } from './services.ts'
import { toKinds, toPackages } from './uses.ts'

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

/** All that is called: production code first, in order of files and their texts. */
function inOrder({ findings, unresolved }: ProjectFindings): readonly (Finding | UnresolvedCall)[] {
  const all = [...findings, ...unresolved]
  const roles = new Map(all.map((each) => [each, toRole(each)]))
  const roleOf = (each: Finding | UnresolvedCall) => roles.get(each) ?? 'production'
  return all.sort(
    (a, b) =>
      compareRoles(roleOf(a), roleOf(b)) ||
      compareCodePoints(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column,
  )
}

function toRole(found: Finding | UnresolvedCall): UsageRole {
  return 'host' in found ? findUsageRole(found) : findFileRole(found.file)
}

/** The member `role`, which is absent for production code. */
function toRoleMember(role: UsageRole): { readonly role?: UsageRole } {
  return role === 'production' ? {} : { role }
}

function toDocument(finding: Finding | UnresolvedCall): FindingDocument {
  if (!('host' in finding)) {
    const { method, ...rest } = finding
    return { ...rest, ...(method !== undefined && { method }), ...toRoleMember(toRole(finding)) }
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
    ...toRoleMember(toRole(finding)),
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
      (a, b) =>
        compareRoles(a.role ?? 'production', b.role ?? 'production') ||
        compareCodePoints(a.api_name, b.api_name) ||
        compareCodePoints(a.vendor_name, b.vendor_name),
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
  const { evidence, purposes, kinds, models } = service
  return {
    name,
    ...(apiName === undefined ? {} : { api_name: apiName }),
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    ...(candidates.length === 0 ? {} : { candidates }),
    hosts,
    ...(purposes.length === 0 ? {} : { purposes }),
    endpoints,
    ...(evidence && { evidence }),
    ...{ locations: service.locations, files: service.files },
    ...{ confidence: service.confidence, file: location.file, line: location.line },
    ...(packages.length === 0 ? {} : { packages }),
    ...(kinds && { kinds }),
    ...(models && { models }),
    ...(service.isOwnClient && { own_client: true as const }),
    ...toRoleMember(service.role),
    ...(service.roles.length > 1 && { roles: service.roles }),
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
    ...toRoleMember(findMainRole(findings)),
  }
}
