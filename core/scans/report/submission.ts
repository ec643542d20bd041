import type { Finding } from '../../code-scanner/model/finding.ts'
import { compareRoles } from '../../code-scanner/noise/usage-roles.ts'
import { splitIntoBatches } from '../../shared/batches.ts'
import { toSha256Hex } from '../../shared/digests.ts'
import { isWebAddress } from '../../shared/urls.ts'
import { toWireFields, type WireFields } from '../endpoint-fields.ts'
import { mergeUsages, type ReportedUsage, type UsageLocation } from './uses.ts'

/** What `POST /scanned/projects` takes of one scan. */
export interface ScanSubmission {
  readonly head: { readonly project_name: string }
  readonly rows: readonly SubmittedEndpoint[]
  /** The same for the same content, whenever it is sent. */
  readonly idempotencyKey: string
}

export interface SubmittedEndpoint extends WireFields {
  readonly endpoint_url: string
  readonly endpoint_method?: string
  readonly found_in: UsageLocation[]
  /** The first of `packages`. */
  readonly package?: string
  /** All of them, where there are several. */
  readonly packages?: string[]
  readonly vendor_name?: string
}

/**
 * Makes what is sent to a server: one row for each use, of at most 1,000 places; nothing
 * that the service would not take as a URL. Usages of production code are first.
 *
 * @example
 * ```ts
 * import { toScanSubmission } from 'api-discovery/scans'
 *
 * const { head, rows } = await toScanSubmission('storefront', found.findings)
 * const stored = await app.call('submitProjectScan', { head, rows }, caller)
 * ```
 */
export async function toScanSubmission(
  projectName: string,
  findings: readonly Finding[],
): Promise<ScanSubmission> {
  const rows = mergeUsages(findings)
    .filter(({ url }) => isWebAddress(url))
    .sort((a, b) => compareRoles(a.role, b.role))
    .flatMap(toRows)
  const head = { project_name: projectName }
  // No time of scanning: a repeat of the same content must be the same.
  return { head, rows, idempotencyKey: await toSha256Hex(JSON.stringify([head, rows])) }
}

/** What the service takes at the most. */
const MAX_PLACES = 1000
const MAX_URL = 4000
const MAX_FILE = 1000
const MAX_PACKAGE = 500
const MAX_PACKAGES = 100
const MAX_VENDOR = 200

function toRows(use: ReportedUsage): readonly SubmittedEndpoint[] {
  const packages = toPackageNames(use.packages)
  const lowest = toPackageNames(use.lowestPackages ?? [])
  const [first] = packages
  const vendor = toLine(use.vendorName ?? '', MAX_VENDOR)
  const places = use.places.map((place) => ({ ...place, file: toLine(place.file, MAX_FILE) }))
  return [...splitIntoBatches(places, MAX_PLACES)].map((part) => ({
    endpoint_url: toLine(use.url, MAX_URL),
    ...(use.method === undefined ? {} : { endpoint_method: use.method }),
    found_in: [...part],
    ...(first === undefined ? {} : { package: first }),
    ...(packages.length > 1 ? { packages } : {}),
    ...(vendor === '' ? {} : { vendor_name: vendor }),
    ...toWireFields({
      lowestPackages: lowest.length > 0 ? lowest : undefined,
      alternatives: use.alternatives,
      confidence: use.confidence,
      role: use.role === 'production' ? undefined : use.role,
    }),
  }))
}

function toPackageNames(names: readonly string[]): string[] {
  return names.slice(0, MAX_PACKAGES).map((name) => toLine(name, MAX_PACKAGE))
}

/** Names of files may hold anything; the service takes no control characters and no half characters. */
function toLine(text: string, length: number): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .slice(0, length)
    .replace(/\p{Cs}$/u, '')
}
