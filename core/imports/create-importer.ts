import { findCategory } from '../catalogue/categories.ts'
import type { Vendor } from '../catalogue/records.ts'
import { buildPostings } from '../catalogue/search/postings.ts'
import { type InputIssue, ServiceError } from '../errors.ts'
import { toSha256Hex } from '../shared/digests.ts'
import { toOpaqueId } from '../shared/ids.ts'
import { foldName } from '../shared/text.ts'
import { runInTimeSlices } from '../shared/time-slices.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { toProperName } from '../vendors/known-vendors.ts'
import { buildUpdate } from './build-update.ts'
import { isAbsolute } from './extract/servers.ts'
import { createImportQueue } from './import-queue.ts'
import { type ParsedDescription, parseDescription } from './parse-description.ts'
import type { ImportDeps, Imported, ImportRequest } from './service.ts'
import {
  chooseVendor,
  findNamedVendors,
  inferCategoryName,
  inferVendorName,
  toVendorHomepage,
  warnOfForeignServers,
} from './vendors.ts'

/**
 * Creates the import function. A separate module, as it loads all code that parses descriptions.
 */
export function createImporter(
  deps: ImportDeps,
): (request: ImportRequest) => Promise<Omit<Imported, 'importId'>> {
  const { catalogue, store, isolate, clock, maxBytes } = deps
  const queue = createImportQueue()

  async function createVendor(name: string, parsed: ParsedDescription): Promise<Vendor> {
    const vendor = await catalogue.saveVendor({
      encryptedId: toOpaqueId('vendor', foldName(name)),
      name,
      homepage: toVendorHomepage(parsed.api.contact.url),
      description: '',
      isPublic: true,
      image: parsed.api.image,
      countries: [],
      createdAt: clock(),
    })
    const found = vendor ?? (await catalogue.findVendor(name))
    if (found) return found
    throw new ServiceError(
      'conflict',
      `Cannot create the vendor "${name}": another request changed it at the same time. Try again`,
    )
  }

  async function importDescription(request: ImportRequest): Promise<Omit<Imported, 'importId'>> {
    const { bytes, vendorName, signal } = request
    const named = vendorName === undefined ? [] : await findNamedVendors(catalogue, vendorName)
    rejectInvalidRequest(request, named[0])
    const leave = await queue.enter(bytes.length, signal)
    try {
      return await importForVendors(request, named)
    } finally {
      leave()
    }
  }

  /** Imports for one of the vendors with the requested name, or for a new one. */
  async function importForVendors(
    request: ImportRequest,
    named: readonly Vendor[],
  ): Promise<Omit<Imported, 'importId'>> {
    const { bytes, categoryName, signal } = request
    const [known] = named
    const parse = (vendor: Vendor | undefined) => {
      const baseUrl = request.baseUrl || vendor?.homepage || undefined
      return parseDescription(bytes, { baseUrl, limits: { maxBytes }, isolate, signal })
    }
    const first = await parse(known)
    const vendor =
      (await chooseVendor(catalogue, { vendors: named, api: first.api })) ??
      (await findOrCreateVendor(request, first))
    const isParsed = vendor.id === known?.id || vendor.homepage === ''
    const isSettled = isParsed || !hasRelativeServer(first)
    const parsed = isSettled ? first : await parse(vendor)
    const digest = await toSha256Hex(bytes)
    const deciding = buildUpdate(parsed, {
      vendor,
      categoryId: categoryName === undefined ? undefined : findCategory(categoryName)?.id,
      defaultCategoryId: findCategory(inferCategoryName(parsed.provider.categories))?.id,
      isPublic: request.isPublic,
      countries: request.countries,
      source: { bytes, mediaType: request.mediaType ?? '', digest },
      now: clock(),
      toPostings: (input) => runInTimeSlices(buildPostings(input)),
    })
    const decision = await runInTimeSlices(deciding)
    const { kind, name, majorVersion } = parsed.api
    const identity = { kind, vendor, name: foldName(name), majorVersion }
    const replaced = await store.replaceApi(identity, decision.change)
    const foreign = warnOfForeignServers({ ...parsed, vendorName: vendor.name })
    const warnings = [...(request.warnings ?? []), ...parsed.report.warnings, ...foreign]
    const report = { ...parsed.report, ...decision.counts(), warnings }
    return { apiId: replaced.encryptedId, vendorName: vendor.name, apiName: name, report }
  }

  async function findOrCreateVendor(
    request: ImportRequest,
    parsed: ParsedDescription,
  ): Promise<Vendor> {
    const { provider, api } = parsed
    const name = request.vendorName ?? inferVendorName({ providerName: provider.name, api })
    const vendors = await findNamedVendors(catalogue, name)
    const found = await chooseVendor(catalogue, { vendors, api })
    if (found) return found
    if (request.createVendor) return createVendor(toProperName(name), parsed)
    throw createInputError([createUnknownVendorIssue(name)], name)
  }

  return importDescription
}

function hasRelativeServer({ endpoints }: ParsedDescription): boolean {
  return endpoints.some(({ url, isInbound }) => !isInbound && !isAbsolute(url))
}

/** Rejects an unknown vendor or category and an invalid base URL before parsing the description. */
function rejectInvalidRequest(request: ImportRequest, vendor: Vendor | undefined): void {
  const { vendorName, categoryName, createVendor, baseUrl } = request
  const issues: InputIssue[] = []
  if (vendorName !== undefined && !vendor && !createVendor) {
    issues.push(createUnknownVendorIssue(vendorName))
  }
  if (categoryName !== undefined && !findCategory(categoryName)) {
    const message = `Category "${categoryName}" not found (the operation listCategories lists all, on the command line: call listCategories)`
    issues.push({ in: 'header', name: 'category', message })
  }
  if (baseUrl && !isHttpUrl(baseUrl)) {
    issues.push({ in: 'header', name: 'base_url', message: 'must be an http or https URL' })
  }
  if (issues.length === 0) return
  const isUnknown = issues.some(({ name }) => name === 'vendor')
  throw createInputError(issues, isUnknown ? vendorName : undefined)
}

function createUnknownVendorIssue(name: string): InputIssue {
  return { in: 'header', name: 'vendor', message: `Vendor "${name}" not found` }
}

/** Sets `unknown_vendor` in the error, so that clients can offer to create the vendor. */
function createInputError(
  issues: readonly InputIssue[],
  unknownVendor: string | undefined,
): ServiceError {
  const detail = issues
    .map(({ name, message }) => (/^[A-Z]/.test(message) ? message : `${name} ${message}`))
    .join('; ')
  const extra = unknownVendor === undefined ? {} : { unknown_vendor: unknownVendor }
  return new ServiceError('invalid_input', detail, { issues, extra })
}
