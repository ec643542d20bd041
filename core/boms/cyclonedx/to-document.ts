import { Enums, Models } from '@cyclonedx/cyclonedx-library'
import { cleanLine, cleanText } from '../../shared/clean-text.ts'
import { createYieldIfDue, runInTimeSlices, type SteppedWork } from '../../shared/time-slices.ts'
import type {
  BomPackageVulnerability,
  BomVulnerability,
  CollectedBom,
  CollectedService,
} from '../collect-bom.ts'
import type { CollectedPackage } from '../collect-packages.ts'
import type { BomEndpoint, BomInstance } from '../model.ts'
import { AnnotatedBom, type Annotation, type Dependency, type DetailedService } from './models.ts'
import { escapeReference, formatEndpoint, NAMESPACE, toCycloneDxService } from './to-service.ts'
import {
  type AffectedPackage,
  type AffectingCve,
  toCycloneDxVulnerability,
} from './to-vulnerability.ts'

/** Maximum number of endpoints listed in one annotation. */
const MAX_LISTED_ENDPOINTS = 20

/**
 * Converts a BOM to the library's model in time slices. Equal content yields equal documents. The
 * result can be written once.
 */
export function* toDocument(bom: CollectedBom): SteppedWork<AnnotatedBom> {
  const document = new AnnotatedBom({ serialNumber: bom.serialNumber })
  const subject = createSubjectComponent(bom)
  const ref = subject.bomRef.value ?? ''
  const used: string[] = []
  const models: Dependency[] = []
  const cves = new Map<string, AffectingCve>()
  const reviewed: CollectedService[] = []
  const packages: string[] = []
  for (const service of bom.services) {
    const own = escapeReference(service.ref)
    used.push(own)
    const components = createModelComponents(service)
    for (const component of components) document.components.add(component)
    models.push({ ref: own, dependsOn: components.flatMap(({ bomRef }) => bomRef.value ?? []) })
    for (const cve of service.vulnerabilities) findAffecting(cves, cve).services.add(own)
    if (hasDecision(service, bom.analyzedAt)) reviewed.push(service)
    yield
  }
  for (const used of bom.packages) {
    const component = toPackageComponent(used)
    const own = component.bomRef.value ?? ''
    document.components.add(component)
    packages.push(own)
    for (const cve of used.found) {
      const affected = toAffectedPackage(used, cve)
      findAffecting(cves, cve).packages.set(own, affected)
    }
    yield
  }
  document.metadata = toMetadata(bom, subject)
  document.lazyLists = {
    services: convertLazily(bom.services),
    vulnerabilities: generateLazily([...cves.values()], (each) => [toCycloneDxVulnerability(each)]),
    annotations: generateLazily(reviewed, (service) => toAnnotations(service, bom.analyzedAt)),
  }
  document.dependencies = [
    { ref, dependsOn: [...used, ...packages] },
    ...models,
    ...[...models.flatMap(({ dependsOn }) => dependsOn), ...packages].map((each) => ({
      ...{ ref: each, dependsOn: [] },
    })),
  ]
  // A scan finds only the APIs that it recognises, so the list must not be read as complete.
  document.compositions = [{ aggregate: 'incomplete', dependencies: [ref] }]
  return document
}

/** Converts services one by one; undefined for none. */
function convertLazily(
  services: readonly CollectedService[],
): AsyncIterable<DetailedService> | undefined {
  if (services.length === 0) return undefined
  return (async function* () {
    const pause = createYieldIfDue()
    for (const service of services) yield await runInTimeSlices(toCycloneDxService(service), pause)
  })()
}

/**
 * Yields the results of `make` for each item, yielding to the event loop; undefined for no items.
 */
function generateLazily<From, Made>(
  items: readonly From[],
  make: (item: From) => readonly Made[],
): AsyncIterable<Made> | undefined {
  if (items.length === 0) return undefined
  return (async function* () {
    const pause = createYieldIfDue()
    for (const item of items) {
      yield* make(item)
      const turn = pause()
      if (turn) await turn
    }
  })()
}

/** Finds the entry of a CVE, or adds it. */
function findAffecting(cves: Map<string, AffectingCve>, cve: BomVulnerability): AffectingCve {
  const known = cves.get(cve.id) ?? { cve, services: new Set(), packages: new Map() }
  cves.set(cve.id, known)
  return known
}

/** Creates a component for each model of an AI service; the vendor of the service supplies it. */
function createModelComponents(service: CollectedService): readonly Models.Component[] {
  const { ref, provider, models = [] } = service
  return models.map(
    (model) =>
      new Models.Component(Enums.ComponentType.MachineLearningModel, cleanLine(model), {
        bomRef: escapeReference(`model:${ref}/${model}`),
        supplier: new Models.OrganizationalEntity({ name: cleanLine(provider.name) }),
      }),
  )
}

function createSubjectComponent({ subject }: CollectedBom): Models.Component {
  const name = cleanLine(subject.projectName || subject.networkName) || 'unnamed'
  return new Models.Component(Enums.ComponentType.Application, name, {
    bomRef: escapeReference(`${subject.kind}:${subject.id || name}`),
  })
}

function toMetadata(bom: CollectedBom, component: Models.Component): Models.Metadata {
  const { subject } = bom
  const isNetwork = subject.kind === 'network'
  const { LifecyclePhase } = Enums
  const tool = new Models.Component(Enums.ComponentType.Application, bom.tool.name, {
    version: bom.tool.version,
  })
  const metadata = new Models.Metadata({
    ...(bom.analyzedAt === undefined ? {} : { timestamp: new Date(bom.analyzedAt) }),
    component,
    lifecycles: new Models.LifecycleRepository([
      isNetwork ? LifecyclePhase.Operations : LifecyclePhase.PreBuild,
    ]),
    tools: new Models.Tools({ components: new Models.ComponentRepository([tool]) }),
  })
  const add = (name: string, value: string) => {
    if (value === '') return
    metadata.properties.add(new Models.Property(`${NAMESPACE}${name}`, cleanText(value)))
  }
  add(isNetwork ? 'repo_id' : 'project_id', subject.id)
  add('datetime_created', formatIsoOrEmpty(subject.createdAt))
  add('network_name', subject.networkName)
  for (const instance of bom.instances) {
    for (const [name, value] of toInstanceProperties(instance)) {
      add(cleanLine(`instance:${instance.id}:${name}`), value)
    }
  }
  return metadata
}

function toInstanceProperties(instance: BomInstance): readonly (readonly [string, string])[] {
  const { endedAt } = instance
  return [
    ['nic_ip', instance.nicIp],
    ['nic_name', instance.nicName],
    ['mac_address', instance.macAddress],
    ['organization', instance.organization],
    ['start_time', formatIsoOrEmpty(instance.startedAt)],
    ['end_time', formatIsoOrEmpty(endedAt)],
    ['scan_status', instance.status],
    ['review_status', instance.reviewStatus],
    ['is_approved', instance.isApproved],
  ]
}

/** Formats a time; empty if undefined. */
function formatIsoOrEmpty(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}

/** True if at least one endpoint has a review decision with a known time. */
function hasDecision({ endpoints }: CollectedService, fallback: number | undefined): boolean {
  return endpoints.some(
    ({ approval, decision }) =>
      approval !== 'unreviewed' && (decision.at ?? fallback) !== undefined,
  )
}

/** Creates one annotation per distinct decision on the endpoints of a service. */
function toAnnotations(
  service: CollectedService,
  fallback: number | undefined,
): readonly Annotation[] {
  const decisions = new Map<string, BomEndpoint[]>()
  for (const endpoint of service.endpoints) {
    const { approval, decision, reason } = endpoint
    if (approval === 'unreviewed') continue
    const key = `${approval}\n${decision.by}\n${decision.at ?? ''}\n${reason}`
    const known = decisions.get(key)
    if (known) known.push(endpoint)
    else decisions.set(key, [endpoint])
  }
  const ref = escapeReference(service.ref)
  return [...decisions.values()].flatMap((endpoints, index) => {
    const [first] = endpoints
    const at = first?.decision.at ?? fallback
    // The schema requires a time. Without one, only the service's properties contain the approval.
    if (!first || at === undefined) return []
    const { approval, reason, decision } = first
    const named = endpoints.slice(0, MAX_LISTED_ENDPOINTS).map(formatEndpoint).join('\n')
    const rest =
      endpoints.length > MAX_LISTED_ENDPOINTS
        ? `\nand ${endpoints.length - MAX_LISTED_ENDPOINTS} more`
        : ''
    const why = reason === '' ? '' : `: ${reason}`
    const verdict = approval === 'yes' ? 'Approved' : 'Rejected'
    return [
      {
        ref: `annotation:${ref}:${index + 1}`,
        subjects: [ref],
        individual: cleanLine(decision.by) || 'unknown',
        timestamp: new Date(at),
        text: cleanText(`${verdict}${why}\n${named}${rest}`),
      },
    ]
  })
}

/** Creates the component of a client library. */
function toPackageComponent({ url, isLowest, found, count }: CollectedPackage): Models.Component {
  const made = new Models.Component(Enums.ComponentType.Library, cleanLine(url.name), {
    bomRef: url.purl,
    version: cleanLine(url.version),
    purl: url.purl,
    ...(url.namespace === '' ? {} : { group: cleanLine(url.namespace) }),
  })
  const add = (name: string, value: string) =>
    made.properties.add(new Models.Property(`${NAMESPACE}${name}`, value))
  if (isLowest) add('lowest_version', 'true')
  if (count > found.length) add('vulnerabilities:known', String(count))
  return made
}

/** Describes how a CVE affects the component of a package. */
function toAffectedPackage(
  { url }: CollectedPackage,
  { affectedVersions, review }: Pick<BomPackageVulnerability, 'affectedVersions' | 'review'>,
): AffectedPackage {
  const range = toVersRange(url.type, affectedVersions)
  return { ref: url.purl, version: cleanLine(url.version), range, review }
}

/** Longest range that CycloneDX 1.5 accepts. */
const MAX_RANGE = 1024

/**
 * Converts `>=8.0.0,<8.1.1` to `vers:npm/>=8.0.0|<8.1.1`; undefined for a commit, and for a range with
 * exceptions.
 */
function toVersRange(type: string, affectedVersions: string): string | undefined {
  if (affectedVersions === '-') return `vers:${type}/*`
  const bounds = affectedVersions.split(',').map((bound) => BOUND.exec(bound)?.groups)
  const range = `vers:${type}/${bounds.map((found) => `${found?.comparator ?? ''}${encodeURIComponent(found?.version ?? '')}`).join('|')}`
  return bounds.every((found) => found) && range.length <= MAX_RANGE ? range : undefined
}

const BOUND = /^(?<comparator>[<>]=?)?(?<version>[\w.+~-]+)$/
