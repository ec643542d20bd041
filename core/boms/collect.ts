import { ServiceError } from '../http/problems.ts'
import { toSlices } from '../shared/batches.ts'
import { startDigest } from '../shared/digests.ts'
import { createPause, runInSlices } from '../shared/slices.ts'
import { toEndpoints } from './endpoints.ts'
import type { Bom, BomCapture, BomInstance, BomScan, BomService, BomSubject } from './model.ts'

/** A CVE of a service's vendor and product, by their names. */
export interface BomVulnerability {
  readonly id: string
  /** English, or empty. */
  readonly description: string
  /** Milliseconds since the epoch. */
  readonly publishedAt: number
  readonly modifiedAt: number
  readonly metric:
    | {
        /** `2.0`, `3.0`, `3.1`, `4.0`. */
        readonly version: string
        readonly score: number
        /** Upper case, or empty. */
        readonly severity: string
        readonly vector: string
      }
    | undefined
  /** As `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly isExploited: boolean
  /** The product as its CPE names it. */
  readonly vendor: string
  readonly product: string
}

/** Finds the CVEs of an API's vendor and product, the exploited ones first. */
export type FindVulnerabilities = (request: {
  readonly api: { readonly name: string; readonly vendorName: string }
  readonly limit: number
}) => Promise<{
  /** At most `limit`. */
  readonly found: readonly BomVulnerability[]
  readonly count: number
}>

/** A bill with all of its services in memory, for shapes that need them all at once. */
export interface CollectedBom {
  readonly subject: BomSubject
  /** Milliseconds since the epoch: of the newest scan; undefined where no scan has a time. */
  readonly analyzedAt: number | undefined
  readonly instances: readonly BomInstance[]
  /** One for each `ref`, by it. */
  readonly services: readonly CollectedService[]
  /** Who made it: name and version of a program. */
  readonly tool: { readonly name: string; readonly version: string }
  /** `urn:uuid:…`, from the content. */
  readonly serialNumber: string
}

export interface CollectedService extends BomService {
  readonly vulnerabilities: readonly BomVulnerability[]
  /** All there are, of which `vulnerabilities` has some. */
  readonly vulnerabilityCount: number
}

/** CVEs of a service that are named. */
const MAX_VULNERABILITIES = 20

/** Services and rows of a bill that is not streamed, at the most. */
export const MAX_SERVICES = 100_000
const MAX_USES = 500_000

/**
 * Reads a whole bill, with turns for others. Throws a `ServiceError` with code `too_large` past
 * `MAX_SERVICES` services or `MAX_USES` places and captures: the specification's shape has no such
 * limit.
 */
export async function collectBom(
  bom: Bom,
  more: {
    readonly tool: CollectedBom['tool']
    readonly findVulnerabilities?: FindVulnerabilities | undefined
  },
): Promise<CollectedBom> {
  const services = await collectServices(bom)
  const known: CollectedService[] = []
  const pause = createPause()
  for (const service of services) {
    const { found, count } =
      service.isMatched && more.findVulnerabilities
        ? await more.findVulnerabilities({
            api: { name: service.name, vendorName: service.provider.name },
            limit: MAX_VULNERABILITIES,
          })
        : { found: [], count: 0 }
    known.push({ ...service, vulnerabilities: found, vulnerabilityCount: count })
    // A storage in this process answers at once, which leaves no turn to others.
    const turn = pause()
    if (turn) await turn
  }
  const content = {
    subject: bom.subject,
    analyzedAt: toLastTime(bom.scans),
    instances: bom.scans.flatMap(({ instance }) => (instance ? [instance] : [])),
    services: known,
    tool: more.tool,
  }
  return { ...content, serialNumber: await toSerialNumber(content) }
}

/** One service for each `ref`, by it. Throws as `collectBom` does. */
export async function collectServices(bom: Bom): Promise<readonly BomService[]> {
  const found = new Map<string, BomService>()
  let uses = 0
  for (const scan of bom.scans) {
    for await (const batch of scan.services) {
      for (const service of batch) {
        const known = found.get(service.ref)
        found.set(service.ref, known ? await joinServices(known, service) : service)
        uses += service.captures.length
        for (const { foundIn } of service.endpoints) uses += foundIn.length
      }
      if (found.size > MAX_SERVICES || uses > MAX_USES) throw tooLarge()
    }
  }
  return [...found.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1))
}

/** When the newest of the scans was made; undefined where none has a time. */
export function toLastTime(scans: readonly BomScan[]): number | undefined {
  const times = scans.flatMap(({ analyzedAt }) => analyzedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Two parts of one service, or the same in two scans. */
async function joinServices(first: BomService, second: BomService): Promise<BomService> {
  const captures: readonly BomCapture[] = [...first.captures, ...second.captures]
  const endpoints = await runInSlices(toEndpoints([...first.endpoints, ...second.endpoints]))
  return { ...first, endpoints, captures }
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot write this bill of materials as CycloneDX: it has more than ${MAX_SERVICES} services or ${MAX_USES} places of use; the default shape is streamed and has no such limit`,
  )
}

/** Held as text at a time. Another number makes other serial numbers. */
const SERVICES_PER_DIGEST = 500

/** A UUID of version 8 (RFC 9562): the first half of a SHA-256 of the content. */
async function toSerialNumber({
  services,
  ...head
}: Omit<CollectedBom, 'serialNumber'>): Promise<string> {
  const digest = await startDigest(head)
  for (const slice of toSlices(services, SERVICES_PER_DIGEST)) await digest.add(slice)
  const hex = digest.value()
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
