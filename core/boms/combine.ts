import type { Approval } from '../scans/records.ts'
import { mapBatches } from '../shared/batches.ts'
import { foldName } from '../shared/text.ts'
import { collectServices, findLastTime } from './collect-bom.ts'
import { findStrictestApproval } from './join-usages.ts'
import type { Bom, BomEndpoint, BomScan, BomService } from './model.ts'

/**
 * Merges BOMs. The subject is that of the first BOM, or has the specified `name`. Services that
 * occur in several are joined; the strictest approval of an endpoint wins. Instances of networks
 * stay separate, unless the first BOM is a project's. Throws as `collectBom` does.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { mergeBoms, readBom } from 'api-discovery/boms'
 *
 * const shop = readBom(await readFile('shop.json', 'utf8'))
 * const office = readBom(await readFile('office.json', 'utf8'))
 * const merged = await mergeBoms([...shop.boms, ...office.boms], 'All projects')
 * ```
 */
export async function mergeBoms(boms: readonly Bom[], name: string | undefined): Promise<Bom> {
  const first = boms[0]?.subject ?? EMPTY_SUBJECT
  const subject = name === undefined ? first : { ...first, projectName: name, id: '' }
  const refs: References = { known: new Map(), taken: new Set() }
  const scans = boms.flatMap((bom) => bom.scans).map((scan) => unifyReferences(scan, refs))
  if (subject.kind === 'network') return { subject, scans }
  const services = await collectServices({ subject, scans })
  const analyzedAt = findLastTime(scans)
  return {
    subject,
    scans: [{ analyzedAt, instance: undefined, services: toSingleBatch(services) }],
  }
}

const EMPTY_SUBJECT: Bom['subject'] = {
  kind: 'project',
  id: '',
  projectName: '',
  networkName: '',
  createdAt: undefined,
}

interface References {
  /** By identity and version of the service. */
  readonly known: Map<string, string>
  readonly taken: Set<string>
}

/**
 * Makes references consistent, as other producers use other references. The first reference of a
 * service is used for all its occurrences, unless another service already has it.
 */
function unifyReferences(scan: BomScan, { known, taken }: References): BomScan {
  const rename = (service: BomService): BomService => {
    const key = toServiceVersionIdentity(service)
    const own = taken.has(service.ref) ? `${service.ref} ${key}` : service.ref
    const ref = known.get(key) ?? own
    known.set(key, ref)
    taken.add(ref)
    return { ...service, ref }
  }
  return { ...scan, services: mapBatches(scan.services, rename) }
}

async function* toSingleBatch<Item>(items: readonly Item[]): AsyncIterable<readonly Item[]> {
  yield items
}

/** The differences between two BOMs. */
export interface BomDifference {
  readonly services: {
    /** Names, sorted by `ref`. */
    readonly added: readonly string[]
    readonly gone: readonly string[]
    readonly changed: readonly ServiceChange[]
  }
  readonly isSame: boolean
}

/** The differences in one service. */
export interface ServiceChange {
  readonly name: string
  /** Version or agreements, as `[field, before, after]`. */
  readonly fields: readonly (readonly [string, string, string])[]
  /** URLs. */
  readonly added: readonly string[]
  readonly gone: readonly string[]
  readonly approvals: readonly {
    readonly endpoint: string
    readonly before: Approval
    readonly after: Approval
  }[]
}

/**
 * Compares the services of two BOMs of any producer.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { compareBoms, readBom } from 'api-discovery/boms'
 *
 * const [before] = readBom(await readFile('before.json', 'utf8')).boms
 * const [after] = readBom(await readFile('after.json', 'utf8')).boms
 * if (before && after) console.log((await compareBoms(before, after)).services.added)
 * ```
 */
export async function compareBoms(first: Bom, second: Bom): Promise<BomDifference> {
  const before = await collectServices(first)
  const after = await collectServices(second)
  const same = pairServices({ before, after }, toServiceVersionIdentity)
  const other = pairServices({ before: same.gone, after: same.added }, toServiceIdentity)
  const { added, gone } = other
  const former = new Map([...same.pairs, ...other.pairs])
  const changed = after.flatMap((service) => {
    const old = former.get(service)
    const change = old && compareService(old, service)
    return change ? [change] : []
  })
  return {
    services: { added: added.map(({ name }) => name), gone: gone.map(({ name }) => name), changed },
    isSame: added.length + gone.length + changed.length === 0,
  }
}

/** Identifies a service across producers and formats, whose references differ. */
function toServiceIdentity({ name, provider, isMatched }: BomService): string {
  return JSON.stringify([isMatched, foldName(provider.name), foldName(name)])
}

function toServiceVersionIdentity(service: BomService): string {
  return `${toServiceIdentity(service)} ${service.version}`
}

/** Pairs services with equal keys, in order, as `[after, before]`. */
function pairServices(
  { before, after }: Readonly<Record<'before' | 'after', readonly BomService[]>>,
  toKey: (service: BomService) => string,
) {
  const known = new Map<string, BomService[]>()
  for (const service of before.toReversed()) {
    const key = toKey(service)
    const others = known.get(key)
    if (others) others.push(service)
    else known.set(key, [service])
  }
  const pairs: (readonly [BomService, BomService])[] = []
  const added: BomService[] = []
  for (const service of after) {
    const former = known.get(toKey(service))?.pop()
    if (former) pairs.push([service, former])
    else added.push(service)
  }
  const paired = new Set(pairs.map(([, former]) => former))
  return { pairs, added, gone: before.filter((service) => !paired.has(service)) }
}

function compareService(before: BomService, after: BomService): ServiceChange | undefined {
  const fields = (
    [
      ['version', before.version, after.version],
      ['agreements', formatAgreements(before), formatAgreements(after)],
    ] as const
  ).filter(([, old, now]) => old !== now)
  // The specification's format has no methods, so endpoints are compared by URL.
  const old = groupByUrl(before.endpoints)
  const now = groupByUrl(after.endpoints)
  const added = [...now.keys()].filter((url) => !old.has(url))
  const gone = [...old.keys()].filter((url) => !now.has(url))
  const approvals = [...now].flatMap(([endpoint, endpoints]) => {
    const known = old.get(endpoint)
    const change = {
      before: known && findStrictestApproval(known),
      after: findStrictestApproval(endpoints),
    }
    return change.before === undefined || change.before === change.after
      ? []
      : [{ endpoint, before: change.before, after: change.after }]
  })
  const isSame = fields.length + added.length + gone.length + approvals.length === 0
  return isSame ? undefined : { name: after.name, fields, added, gone, approvals }
}

function formatAgreements({ licenses }: BomService): string {
  return licenses
    .map(({ name, url }) => (url === '' ? name : `${name} (${url})`))
    .sort()
    .join(', ')
}

function groupByUrl(
  endpoints: readonly BomEndpoint[],
): ReadonlyMap<string, readonly BomEndpoint[]> {
  const found = new Map<string, BomEndpoint[]>()
  for (const endpoint of endpoints) {
    const known = found.get(endpoint.url)
    if (known) known.push(endpoint)
    else found.set(endpoint.url, [endpoint])
  }
  return found
}
