import type { Approval } from '../scans/records.ts'
import { mapBatches } from '../shared/batches.ts'
import { foldName } from '../shared/text.ts'
import { collectServices } from './collect.ts'
import { toApproval } from './endpoints.ts'
import type { Bom, BomEndpoint, BomScan, BomService } from './model.ts'

/**
 * One bill of several: the subject is that of the first, or has the given name. The same service of
 * several is one; of decisions on an endpoint the strictest holds. The instances of networks stay
 * apart, unless the first bill is a project's. Throws as `collectBom` does.
 */
export async function mergeBoms(boms: readonly Bom[], name: string | undefined): Promise<Bom> {
  const first = boms[0]?.subject ?? NOTHING
  const subject = name === undefined ? first : { ...first, projectName: name, id: '' }
  const refs = new Map<string, string>()
  const scans = boms.flatMap((bom) => bom.scans).map((scan) => withRefs(scan, refs))
  if (subject.kind === 'network') return { subject, scans }
  const services = await collectServices({ subject, scans })
  const analyzedAt = scans.reduce((last, scan) => Math.max(last, scan.analyzedAt), 0)
  return { subject, scans: [{ analyzedAt, instance: undefined, services: toBatches(services) }] }
}

const NOTHING: Bom['subject'] = {
  kind: 'project',
  id: '',
  projectName: '',
  networkName: '',
  createdAt: 0,
}

/** Documents of other producers have other references: the first that a service had names it. */
function withRefs(scan: BomScan, refs: Map<string, string>): BomScan {
  const rename = (service: BomService): BomService => {
    const key = `${toIdentity(service)} ${service.version}`
    const ref = refs.get(key) ?? service.ref
    refs.set(key, ref)
    return { ...service, ref }
  }
  return { ...scan, services: mapBatches(scan.services, rename) }
}

async function* toBatches<Item>(items: readonly Item[]): AsyncIterable<readonly Item[]> {
  yield items
}

/** What differs between two bills. */
export interface BomDifference {
  readonly services: {
    /** Names, by `ref`. */
    readonly added: readonly string[]
    readonly gone: readonly string[]
    readonly changed: readonly ServiceChange[]
  }
  readonly isSame: boolean
}

/** What differs in one service. */
export interface ServiceChange {
  readonly name: string
  /** Version, vendor, or agreements: `[field, before, after]`. */
  readonly fields: readonly (readonly [string, string, string])[]
  /** Method and URL, or the URL alone. */
  readonly added: readonly string[]
  readonly gone: readonly string[]
  readonly approvals: readonly {
    readonly endpoint: string
    readonly before: Approval
    readonly after: Approval
  }[]
}

/** Compares the services of two bills, whoever made them. */
export async function compareBoms(first: Bom, second: Bom): Promise<BomDifference> {
  const before = await collectServices(first)
  const after = await collectServices(second)
  const known = new Map(before.map((service) => [toIdentity(service), service]))
  const found = new Map(after.map((service) => [toIdentity(service), service]))
  const added = after.filter((service) => !known.has(toIdentity(service)))
  const gone = before.filter((service) => !found.has(toIdentity(service)))
  const changed = after.flatMap((service) => {
    const old = known.get(toIdentity(service))
    const change = old && compareService(old, service)
    return change ? [change] : []
  })
  return {
    services: { added: added.map(({ name }) => name), gone: gone.map(({ name }) => name), changed },
    isSame: added.length + gone.length + changed.length === 0,
  }
}

/** Documents of other producers, and of other shapes, have other references for the same service. */
function toIdentity({ name, provider, isMatched }: BomService): string {
  return JSON.stringify([isMatched, foldName(provider.name), foldName(name)])
}

function compareService(before: BomService, after: BomService): ServiceChange | undefined {
  const fields = (
    [
      ['version', before.version, after.version],
      ['agreements', toLinks(before), toLinks(after)],
    ] as const
  ).filter(([, old, now]) => old !== now)
  // The specification's shape has no methods: endpoints are compared by URL.
  const old = byUrl(before.endpoints)
  const now = byUrl(after.endpoints)
  const added = [...now.keys()].filter((url) => !old.has(url))
  const gone = [...old.keys()].filter((url) => !now.has(url))
  const approvals = [...now].flatMap(([endpoint, endpoints]) => {
    const known = old.get(endpoint)
    const change = { before: known && toApproval(known), after: toApproval(endpoints) }
    return change.before === undefined || change.before === change.after
      ? []
      : [{ endpoint, before: change.before, after: change.after }]
  })
  const isSame = fields.length + added.length + gone.length + approvals.length === 0
  return isSame ? undefined : { name: after.name, fields, added, gone, approvals }
}

function toLinks({ licenses }: BomService): string {
  return licenses
    .map(({ name, url }) => (url === '' ? name : `${name} (${url})`))
    .sort()
    .join(', ')
}

function byUrl(endpoints: readonly BomEndpoint[]): ReadonlyMap<string, readonly BomEndpoint[]> {
  const found = new Map<string, BomEndpoint[]>()
  for (const endpoint of endpoints) {
    const known = found.get(endpoint.url)
    if (known) known.push(endpoint)
    else found.set(endpoint.url, [endpoint])
  }
  return found
}
