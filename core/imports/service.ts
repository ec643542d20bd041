import { findCategory } from '../catalogue/categories.ts'
import type { Vendor } from '../catalogue/records.ts'
import { buildPostings } from '../catalogue/search/postings.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { type InputIssue, ServiceError } from '../http/problems.ts'
import type { Clock, Isolate } from '../ports.ts'
import { toSha256Hex } from '../shared/digests.ts'
import { toOpaqueId } from '../shared/ids.ts'
import { runInSlices } from '../shared/slices.ts'
import { foldName } from '../shared/text.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { buildDecision } from './diff.ts'
import { isAbsolute } from './extract/servers.ts'
import { type ParsedDescription, parseDescription } from './parse.ts'
import { inferCategoryName, inferVendorName } from './provider.ts'
import type { ImportWarning } from './read.ts'
import type { ImportStore } from './store.ts'

/** What is to be imported, and what the importer knows of it. */
export interface ImportRequest {
  /** The description: Swagger 2.0 or OpenAPI 3.0 to 3.2, JSON or YAML. */
  readonly bytes: Uint8Array
  /** As the importer labels the bytes; kept, not believed. */
  readonly mediaType?: string | undefined
  /** The description's provider name, else the domain of its server, when absent. */
  readonly vendorName?: string | undefined
  /**
   * When absent, the API keeps its category; a new one gets the description's own, else a general one.
   */
  readonly categoryName?: string | undefined
  /** Enters a vendor that does not exist; otherwise it is an error. */
  readonly createVendor?: boolean | undefined
  /** Absolute URL for relative servers; the vendor's homepage when absent. */
  readonly baseUrl?: string | undefined
  readonly isPublic: boolean
  /** ISO 3166-1 alpha-2, upper case; when absent, the API keeps its own, a new one gets its vendor's. */
  readonly countries?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** What an import did (contract 4.6). */
export interface ImportReport {
  readonly operations: number
  readonly webhooks: number
  readonly callbacks: number
  readonly parameters: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly skipped: number
  readonly warnings: readonly ImportWarning[]
}

/** A finished import. */
export interface Imported {
  /** `encrypted_id` of the API. */
  readonly apiId: string
  readonly vendorName: string
  readonly apiName: string
  readonly report: ImportReport
}

/** Imports descriptions into the catalogue. */
export interface Imports {
  /**
   * Imports one description in one transaction. The same API (vendor, folded title, major version)
   * is updated in place; the same description again changes nothing. Throws `invalid_input` for an
   * unknown vendor or category, and what `readDescription` throws; then nothing is stored, but
   * for the vendor that it was to enter.
   */
  importDescription(request: ImportRequest): Promise<Imported>
}

/** Creates the imports over a catalogue. */
export function createImports(deps: {
  readonly catalogue: Pick<CatalogueStore, 'findVendor' | 'saveVendor'>
  readonly store: ImportStore
  readonly isolate: Isolate | undefined
  readonly clock: Clock
  /** The largest description, bytes. */
  readonly maxBytes: number
}): Imports {
  const { catalogue, store, isolate, clock, maxBytes } = deps

  async function createVendor(name: string, parsed: ParsedDescription): Promise<Vendor> {
    const vendor = await catalogue.saveVendor({
      encryptedId: toOpaqueId('vendor', foldName(name)),
      name,
      homepage: parsed.api.contact.url,
      description: '',
      isPublic: true,
      image: parsed.api.image,
      countries: [],
      createdAt: clock(),
    })
    const found = vendor ?? (await catalogue.findVendor(name))
    if (found) return found
    throw new ServiceError('conflict', `Cannot enter the vendor "${name}"`)
  }

  async function importDescription(request: ImportRequest): Promise<Imported> {
    const { bytes, vendorName, categoryName, signal } = request
    const known = vendorName === undefined ? undefined : await catalogue.findVendor(vendorName)
    refuseUnknown(request, known)
    const parse = (vendor: Vendor | undefined) => {
      const baseUrl = request.baseUrl || vendor?.homepage || undefined
      return parseDescription(bytes, { baseUrl, limits: { maxBytes }, isolate, signal })
    }
    const first = await parse(known)
    const vendor = known ?? (await findOrCreateVendor(request, first))
    const isSettled = known !== undefined || vendor.homepage === '' || !hasRelativeServer(first)
    const parsed = isSettled ? first : await parse(vendor)
    const digest = await toSha256Hex(bytes)
    const deciding = buildDecision(parsed, {
      vendor,
      categoryId: categoryName === undefined ? undefined : findCategory(categoryName)?.id,
      usualCategoryId: findCategory(inferCategoryName(parsed.provider.categories))?.id,
      isPublic: request.isPublic,
      countries: request.countries,
      source: { bytes, mediaType: request.mediaType ?? '', digest },
      now: clock(),
      toPostings: (input) => runInSlices(buildPostings(input)),
    })
    const decision = await runInSlices(deciding)
    const { name, majorVersion } = parsed.api
    const identity = { vendor, name: foldName(name), majorVersion }
    const replaced = await store.replaceApi(identity, decision.change)
    const report = { ...parsed.report, ...decision.summary() }
    return { apiId: replaced.encryptedId, vendorName: vendor.name, apiName: name, report }
  }

  async function findOrCreateVendor(
    request: ImportRequest,
    parsed: ParsedDescription,
  ): Promise<Vendor> {
    const { provider, api } = parsed
    const name = request.vendorName ?? inferVendorName({ providerName: provider.name, api })
    const found = await catalogue.findVendor(name)
    if (found) return found
    if (request.createVendor) return createVendor(name, parsed)
    throw toInputError('vendor', `is unknown: "${name}"`)
  }

  return { importDescription }
}

function hasRelativeServer({ endpoints }: ParsedDescription): boolean {
  return endpoints.some(({ url, isInbound }) => !isInbound && !isAbsolute(url))
}

/** What is wrong with vendor, category and base URL is told before the description is read. */
function refuseUnknown(request: ImportRequest, vendor: Vendor | undefined): void {
  const { vendorName, categoryName, createVendor, baseUrl } = request
  const issues: InputIssue[] = []
  if (vendorName !== undefined && !vendor && !createVendor) {
    issues.push({ in: 'header', name: 'vendor', message: `is unknown: "${vendorName}"` })
  }
  if (categoryName !== undefined && !findCategory(categoryName)) {
    issues.push({ in: 'header', name: 'category', message: `is unknown: "${categoryName}"` })
  }
  if (baseUrl && !isHttpUrl(baseUrl)) {
    issues.push({ in: 'header', name: 'base_url', message: 'must be an http or https URL' })
  }
  if (issues.length === 0) return
  const detail = issues.map(({ name, message }) => `${name} ${message}`).join('; ')
  throw new ServiceError('invalid_input', detail, { issues })
}

function toInputError(name: string, message: string): ServiceError {
  return new ServiceError('invalid_input', `${name} ${message}`, {
    issues: [{ in: 'header', name, message }],
  })
}
