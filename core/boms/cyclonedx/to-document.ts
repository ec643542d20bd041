import { Enums, Models } from '@cyclonedx/cyclonedx-library'
import { cleanLine, cleanText } from '../../shared/clean-text.ts'
import type { BomVulnerability, CollectedBom, CollectedService } from '../collect.ts'
import type { BomEndpoint, BomInstance } from '../model.ts'
import { AnnotatedBom, type Annotation, type DetailedService } from './models.ts'
import { NAMESPACE, toEndpointName, toRef, toService } from './to-service.ts'
import { toVulnerability } from './to-vulnerability.ts'

/** Endpoints that one annotation names. */
const MAX_NAMED = 20

/** The bill as the library's model: the same content gives the same document. */
export function toDocument(bom: CollectedBom): AnnotatedBom {
  const document = new AnnotatedBom({ serialNumber: bom.serialNumber })
  const subject = toSubject(bom)
  const ref = subject.bomRef.value ?? ''
  document.metadata = toMetadata(bom, subject)
  document.makeServices = () => toServices(bom.services)
  document.annotations = bom.services.flatMap((service) => toAnnotations(service, bom.analyzedAt))
  for (const { cve, refs } of findCves(bom.services)) {
    document.vulnerabilities.add(toVulnerability(cve, refs))
  }
  const used = bom.services.map((service) => toRef(service.ref))
  document.dependencies = [
    { ref, dependsOn: used },
    ...used.map((each) => ({ ref: each, dependsOn: [] })),
  ]
  // A scan sees what it can recognise: nobody may read the list as the whole.
  document.compositions = [{ aggregate: 'incomplete', dependencies: [ref] }]
  return document
}

function* toServices(services: readonly CollectedService[]): Iterable<DetailedService> {
  for (const service of services) yield toService(service)
}

/** Each CVE once, with the references of the services that it may affect. */
function findCves(services: readonly CollectedService[]) {
  const found = new Map<string, { readonly cve: BomVulnerability; readonly refs: Set<string> }>()
  for (const { ref, vulnerabilities } of services) {
    for (const cve of vulnerabilities) {
      const known = found.get(cve.id) ?? { cve, refs: new Set() }
      found.set(cve.id, known)
      known.refs.add(toRef(ref))
    }
  }
  return found.values()
}

function toSubject({ subject }: CollectedBom): Models.Component {
  const name = cleanLine(subject.projectName || subject.networkName) || 'unnamed'
  return new Models.Component(Enums.ComponentType.Application, name, {
    bomRef: toRef(`${subject.kind}:${subject.id || name}`),
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
  add('datetime_created', toIso(subject.createdAt))
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
    ['start_time', toIso(instance.startedAt)],
    ['end_time', toIso(endedAt)],
    ['scan_status', instance.status],
    ['review_status', instance.reviewStatus],
    ['is_approved', instance.isApproved],
  ]
}

/** Empty for what is not known. */
function toIso(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}

/** One for each decision on endpoints of a service. */
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
  const ref = toRef(service.ref)
  return [...decisions.values()].flatMap((endpoints, index) => {
    const [first] = endpoints
    const at = first?.decision.at ?? fallback
    // The schema asks for a time; without one the service's properties alone tell the approval.
    if (!first || at === undefined) return []
    const { approval, reason, decision } = first
    const named = endpoints.slice(0, MAX_NAMED).map(toEndpointName).join('\n')
    const rest = endpoints.length > MAX_NAMED ? `\nand ${endpoints.length - MAX_NAMED} more` : ''
    const why = reason === '' ? '' : `: ${reason}`
    const verdict = approval === 'yes' ? 'Approved' : 'Not approved'
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
