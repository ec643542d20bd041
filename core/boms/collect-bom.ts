import { ServiceError } from '../errors.ts'
import type { CveReview } from '../scans/records.ts'
import { splitIntoBatches } from '../shared/batches.ts'
import { startDigest } from '../shared/digests.ts'
import type { UsedPackage } from '../shared/package-urls.ts'
import { createYieldIfDue, runInTimeSlices } from '../shared/time-slices.ts'
import { joinAi } from './ai.ts'
import { type CollectedPackage, collectPackages } from './collect-packages.ts'
import { joinUsages } from './join-usages.ts'
import type { Bom, BomCapture, BomInstance, BomScan, BomService, BomSubject } from './model.ts'

/** A CVE that may affect a service, matched by the names of vendor and product. */
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
        /** As in the feed, such as `nvd@nist.gov`. */
        readonly source: string
        readonly score: number
        /** Upper case, or empty. */
        readonly severity: string
        readonly vector: string
      }
    | undefined
  /** As `CWE-79`. */
  readonly weaknesses: readonly string[]
  readonly isExploited: boolean
  /** NVD, or the CVE Program for a record that NVD does not have. */
  readonly authority: 'nvd' | 'cve'
  /** The vendor's and product's names in the CPE. */
  readonly vendor: string
  readonly product: string
}

/** Finds CVEs by an API's vendor and product, known exploited ones first. */
export type FindVulnerabilities = (request: {
  readonly api: { readonly name: string; readonly vendorName: string }
  readonly limit: number
}) => Promise<{
  /** At most `limit`; `count` is the number of all. */
  readonly found: readonly BomVulnerability[]
  readonly count: number
}>

/** A package with CVEs that affect its version. */
export interface BomPackage extends UsedPackage {
  readonly found: readonly BomPackageVulnerability[]
  /** Number of all CVEs, including those not listed. */
  readonly count: number
}

/** A CVE that affects the version of a package. */
export interface BomPackageVulnerability extends BomVulnerability {
  /** See `PackageVulnerability`. */
  readonly affectedVersions: string
  readonly review?: CveReview | undefined
}

/** Finds the CVEs of packages in their versions; returns only packages that have some. */
export type FindPackageVulnerabilities = (
  packages: readonly UsedPackage[],
) => Promise<readonly BomPackage[]>

/** A BOM with all services in memory, for formats that need them all at once. */
export interface CollectedBom {
  readonly subject: BomSubject
  /** Time of the newest scan in milliseconds since the epoch; undefined if no scan has a time. */
  readonly analyzedAt: number | undefined
  readonly instances: readonly BomInstance[]
  /** One for each `ref`, sorted by it. */
  readonly services: readonly CollectedService[]
  /** Client libraries with a version, sorted by package URL. */
  readonly packages: readonly CollectedPackage[]
  /** Name and version of the producing program. */
  readonly tool: { readonly name: string; readonly version: string }
  /** `urn:uuid:…`, derived from the content. */
  readonly serialNumber: string
}

export interface CollectedService extends BomService {
  readonly vulnerabilities: readonly BomVulnerability[]
  /** Number of all CVEs, including those not listed. */
  readonly vulnerabilityCount: number
}

/** Maximum number of CVEs listed per service. */
const MAX_VULNERABILITIES = 20

/** Maximum numbers of services, and of locations and captures, in a BOM that is not streamed. */
export const MAX_SERVICES = 100_000
const MAX_LOCATIONS = 500_000

/**
 * Reads a whole BOM, yielding to the event loop. Throws a `ServiceError` with code `too_large`
 * beyond `MAX_SERVICES` services or `MAX_LOCATIONS` locations and captures. The specification's format
 * has no such limit.
 */
export async function collectBom(
  bom: Bom,
  options: {
    readonly tool: CollectedBom['tool']
    readonly findVulnerabilities?: FindVulnerabilities | undefined
    readonly findPackageVulnerabilities?: FindPackageVulnerabilities | undefined
  },
): Promise<CollectedBom> {
  const services = await collectServices(bom)
  const known: CollectedService[] = []
  const pause = createYieldIfDue()
  for (const service of services) {
    const { found, count } =
      service.isMatched && options.findVulnerabilities
        ? await options.findVulnerabilities({
            api: { name: service.name, vendorName: service.provider.name },
            limit: MAX_VULNERABILITIES,
          })
        : { found: [], count: 0 }
    known.push({ ...service, vulnerabilities: found, vulnerabilityCount: count })
    // An in-process storage answers synchronously, so this loop must yield itself.
    const turn = pause()
    if (turn) await turn
  }
  const content = {
    subject: bom.subject,
    analyzedAt: findLastTime(bom.scans),
    instances: bom.scans.flatMap(({ instance }) => (instance ? [instance] : [])),
    services: known,
    packages: await collectPackages(services, options.findPackageVulnerabilities),
    tool: options.tool,
  }
  return { ...content, serialNumber: await computeSerialNumber(content) }
}

/** Merges services by `ref` and sorts them by it. Throws as `collectBom` does. */
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
      if (found.size > MAX_SERVICES || uses > MAX_LOCATIONS) throw createTooLargeError()
    }
  }
  return [...found.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1))
}

/** Returns the time of the newest scan; undefined if none has a time. */
export function findLastTime(scans: readonly BomScan[]): number | undefined {
  const times = scans.flatMap(({ analyzedAt }) => analyzedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Joins two parts of one service, or the same service in two scans. */
async function joinServices(first: BomService, second: BomService): Promise<BomService> {
  const captures: readonly BomCapture[] = [...first.captures, ...second.captures]
  const endpoints = await runInTimeSlices(joinUsages([...first.endpoints, ...second.endpoints]))
  return { ...first, ...joinAi([first, second]), endpoints, captures }
}

function createTooLargeError(): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot write this BOM as CycloneDX: it has more than ${MAX_SERVICES} services or ${MAX_LOCATIONS} locations. Use the "specification" format, which has no such limit`,
  )
}

/** Number of services serialised at a time. Changing it changes all serial numbers. */
const SERVICES_PER_DIGEST = 500

/** Creates a UUID of version 8 (RFC 9562) from the first half of a SHA-256 of the content. */
async function computeSerialNumber({
  services,
  ...head
}: Omit<CollectedBom, 'serialNumber'>): Promise<string> {
  const digest = await startDigest(head)
  for (const slice of splitIntoBatches(services, SERVICES_PER_DIGEST)) await digest.add(slice)
  const hex = digest.value()
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
