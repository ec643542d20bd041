import type { Api } from '../catalogue/records.ts'
import { buildPostings, TERMS_VERSION } from '../catalogue/search/postings.ts'
import { type InputIssue, ServiceError } from '../errors.ts'
import type { ApiRow } from '../imports/store.ts'
import type { Account } from '../shared/account.ts'
import { AGREEMENT_KINDS, findAgreementKind } from '../shared/agreement-kinds.ts'
import { END_OF_INSTANTS } from '../shared/dates.ts'
import { toSha256Hex } from '../shared/digests.ts'
import { toOpaqueId } from '../shared/ids.ts'
import { toSpdxId } from '../shared/spdx.ts'
import { foldName } from '../shared/text.ts'
import { runInTimeSlices } from '../shared/time-slices.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { isTextWithin, MAX_AGREEMENTS, MAX_TEXT_BYTES } from './limits.ts'
import type { NewAgreement } from './records.ts'
import {
  type AgreementDeps,
  type AgreementEntry,
  type AgreementTarget,
  createApiNotFoundError,
} from './service.ts'

/** Implements `Agreements.enter`. */
export async function enterAgreements(
  deps: AgreementDeps,
  request: {
    readonly target: AgreementTarget
    readonly agreements: readonly AgreementEntry[]
    readonly by: Account
    readonly mode?: 'all' | 'kinds' | undefined
  },
): Promise<Api> {
  const { store } = deps
  const { target, by, mode = 'all' } = request
  validateEntries(request.agreements)
  const entered = await Promise.all(request.agreements.map(toNewAgreement))
  rejectDuplicates(entered.map(({ agreement }) => agreement))
  const api = await findOrAddApi(deps, { target, isEmpty: entered.length === 0 })
  const isReplaced = await store.replaceEntered(api.id, {
    agreements: entered.map(({ agreement }) => agreement),
    texts: new Map(entered.flatMap(({ text }) => (text ? [text] : []))),
    retainsOtherKinds: mode === 'kinds',
    by,
    at: deps.clock(),
  })
  if (!isReplaced) throw createApiNotFoundError(api.encryptedId)
  return api
}

/**
 * Returns the agreement kind of a type, in any spelling; without a type, the kind derived from the
 * name.
 */
function toAgreementKind(entry: Pick<AgreementEntry, 'name' | 'type'>): string {
  const { name, type } = entry
  if (type !== undefined && type !== '') {
    const letters = toLetters(type.replace(/^x-/i, ''))
    const same = AGREEMENT_KINDS.find((kind) => toLetters(kind) === letters)
    return same ?? findAgreementKind(type)?.kind ?? type
  }
  return (
    findAgreementKind(name)?.kind ?? (toSpdxId({ name }) === '' ? OTHER_KIND : 'InterfaceLicense')
  )
}

/** Kind of an agreement that neither type nor name determines. */
const OTHER_KIND = 'Agreement'

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}

async function toNewAgreement(entry: AgreementEntry): Promise<{
  readonly agreement: NewAgreement
  readonly text: readonly [digest: string, text: string] | undefined
}> {
  const { name, link, text } = entry
  const kind = toAgreementKind(entry)
  const spdxId = kind === 'InterfaceLicense' ? toSpdxId({ name, link }) : ''
  if (text === undefined || text === '') {
    return { agreement: { name, link, kind, spdxId, text: undefined }, text: undefined }
  }
  const bytes = new TextEncoder().encode(text)
  const digest = await toSha256Hex(bytes)
  const facts = { digest, size: bytes.length, retrievedAt: entry.retrievedAt }
  return { agreement: { name, link, kind, spdxId, text: facts }, text: [digest, text] }
}

/** Validates entries of in-process callers; HTTP requests are already validated. */
function validateEntries(entries: readonly AgreementEntry[]): void {
  if (entries.length > MAX_AGREEMENTS) {
    throw createInputError('agreements', `must be at most ${MAX_AGREEMENTS}`)
  }
  for (const [at, { name, link, type = '', text = '', retrievedAt = 0 }] of entries.entries()) {
    const member = `agreements.${at}`
    if (name.trim() === '' || name.length > 300) {
      throw createInputError(`${member}.agreement_name`, 'must have 1 to 300 characters')
    }
    if (link.length > 2000 || !isHttpUrl(link)) {
      throw createInputError(`${member}.agreement_link`, 'must be an http or https URL')
    }
    if (type !== '' && !/^[A-Za-z][A-Za-z -]{0,59}$/.test(type)) {
      throw createInputError(`${member}.type`, 'must contain only letters, hyphens and spaces')
    }
    if (!isTextWithin(text, MAX_TEXT_BYTES)) {
      throw createInputError(`${member}.text`, 'must be at most 1 MiB')
    }
    // Other values can be stored, but not formatted as a timestamp.
    if (!Number.isInteger(retrievedAt) || Math.abs(retrievedAt) >= END_OF_INSTANTS) {
      throw createInputError(`${member}.retrieved_at`, 'must be a timestamp')
    }
  }
}

function rejectDuplicates(agreements: readonly NewAgreement[]): void {
  const known = new Set<string>()
  for (const [at, { kind, link }] of agreements.entries()) {
    const key = `${kind} ${link}`
    if (known.has(key))
      throw createInputError('agreements', `contains entry ${at + 1} twice: ${kind} ${link}`)
    known.add(key)
  }
}

async function findOrAddApi(
  deps: AgreementDeps,
  { target, isEmpty }: { readonly target: AgreementTarget; readonly isEmpty: boolean },
): Promise<Api> {
  const { catalogue } = deps
  const { apiId, apiName, vendorName } = target
  if (apiId !== undefined) {
    if (apiName !== undefined || vendorName !== undefined) {
      throw createInputError('api_id', 'must not be set together with api_name or vendor_name')
    }
    const api = await catalogue.findApi(apiId)
    if (api) return api
    throw createApiNotFoundError(apiId)
  }
  if (apiName === undefined || vendorName === undefined) {
    throw createInputError('api_id', 'is required: pass api_id, or api_name and vendor_name')
  }
  const apis = await catalogue.findApisByName({ apiName, vendorName })
  const [only] = apis
  if (only && apis.length === 1) return only
  if (only) {
    const detail = `${apis.length} APIs match "${apiName}" of "${vendorName}": select one with api_id`
    const ids = apis.map(({ encryptedId }) => encryptedId)
    throw new ServiceError('ambiguous_selection', detail, { extra: { api_ids: ids } })
  }
  if (isEmpty) throw new ServiceError('not_found', 'API not found: no API has this name and vendor')
  return addApiByName(deps, { apiName, vendorName })
}

/** Adds an API of which only the name is known. */
async function addApiByName(
  deps: AgreementDeps,
  { apiName, vendorName }: { readonly apiName: string; readonly vendorName: string },
): Promise<Api> {
  const { catalogue, imports, clock } = deps
  const vendor = await catalogue.findVendor(vendorName)
  if (!vendor) {
    const message = `Vendor "${vendorName}" not found`
    const issue: InputIssue = { in: 'body', name: 'vendor_name', message }
    throw new ServiceError('invalid_input', message, { issues: [issue] })
  }
  const name = foldName(apiName)
  if (name === '') throw createInputError('api_name', 'must contain letters, digits or symbols')
  const identity = [foldName(vendor.name), name].map((text) => text.replaceAll('|', '\n')).join('|')
  const kind = 'http' as const
  const description = {
    kind,
    name: apiName,
    version: '',
    majorVersion: '',
    description: '',
    homepage: '',
    authTypes: [],
    licenses: [],
    servers: [],
    tags: [],
    contact: { name: '', url: '', email: '' },
    image: '',
  }
  const row: ApiRow = {
    ...description,
    encryptedId: toOpaqueId('named api', identity),
    categoryId: undefined,
    isPublic: true,
    isImplemented: false,
    countries: vendor.countries,
    sourceDigest: '',
    isDescribed: false,
    now: clock(),
  }
  const entered = await imports.replaceApi(
    { kind, vendor, name, majorVersion: '' },
    (existing) => ({
      api: existing ? undefined : row,
      added: [],
      changed: [],
      removed: [],
      components: undefined,
      agreements: undefined,
      source: undefined,
      termsVersion: TERMS_VERSION,
      postings: existing
        ? undefined
        : () =>
            runInTimeSlices(
              buildPostings({
                vendorName: vendor.name,
                categoryName: '',
                api: description,
                endpoints: [],
              }),
            ),
    }),
  )
  const api = await catalogue.findApi(entered.encryptedId)
  if (api) return api
  throw createApiNotFoundError(entered.encryptedId)
}

function createInputError(name: string, message: string): ServiceError {
  const issue: InputIssue = { in: 'body', name, message }
  return new ServiceError('invalid_input', `${name} ${message}`, { issues: [issue] })
}
