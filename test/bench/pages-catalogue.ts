import type { AuthType } from '../../core/catalogue/auth-types.ts'
import type { ImportedAgreement, Vendor } from '../../core/catalogue/records.ts'
import { buildPostingsSync } from '../../core/catalogue/search/postings.ts'
import type { ApiDiscovery } from '../../core/index.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { Account } from '../../core/shared/account.ts'
import { hash53, toOpaqueId, toShortId } from '../../core/shared/ids.ts'
import { foldName } from '../../core/shared/text.ts'
import { sampleApiRow, sampleVendor } from '../conformance/storage/samples.ts'
import { createNumberGenerator } from '../helpers/random.ts'
import { type SyntheticApi, syntheticCatalogue, syntheticWord } from './synthetic.ts'

/** Size of a catalogue. */
export interface CatalogueSize {
  readonly apis: number
  readonly endpoints: number
  readonly vendors: number
}

/** A vendor with known vulnerabilities, and some of its products. */
export interface NamedVendor {
  readonly name: string
  readonly products: readonly string[]
}

/** A generated API for the other generators. */
export interface FilledApi {
  readonly encryptedId: string
  readonly id: number
  readonly name: string
  readonly vendor: Vendor
  readonly host: string
  /** Method, path and short ID of its first endpoints, at most 100. */
  readonly endpoints: readonly (readonly [method: string, path: string, shortId: string])[]
}

/** Frequent words of real descriptions and searches, in order of frequency. */
const WORDS = (
  'user account order message payment customer list file event status email address invoice report ' +
  'token search product group team project image phone document search webhook subscription ' +
  'calendar location weather contact notification ticket task comment currency exchange rate price ' +
  'cart shipment tracking card transaction balance refund tax country city map route vehicle driver ' +
  'booking hotel flight article news video playlist track artist game score player match league ' +
  'device sensor reading alert certificate domain record backup server cluster container image log ' +
  'metric dashboard query table column index translation language speech model prediction label'
).split(' ')

/** A word of some endpoints, and one of very few. */
export const RARE_WORDS: readonly string[] = [5000, 15_000].map(syntheticWord)

const LICENSES = ['Apache 2.0', 'MIT', 'CC BY 4.0', 'Proprietary', 'GPL-3.0-only'] as const
const AUTHS: readonly (readonly AuthType[])[] = [
  ['header'],
  ['OAuth2'],
  ['none'],
  ['query'],
  ['header', 'OAuth2'],
  ['BasicAuth'],
]

/** Adds the generated APIs to the catalogue; every fourth API has its own agreements. */
export async function fillCatalogue(
  storage: FullStorage,
  given: {
    readonly size: Omit<CatalogueSize, 'vendors'>
    readonly vendors: readonly NamedVendor[]
  },
): Promise<readonly FilledApi[]> {
  const { size } = given
  const number = createNumberGenerator(11)
  const vendors: (NamedVendor & { readonly vendor: Vendor })[] = []
  for (const [index, named] of given.vendors.entries()) {
    const { name } = named
    const encryptedId = toOpaqueId('vendor', name)
    const vendor = await storage.catalogue.saveVendor({
      ...sampleVendor(index),
      encryptedId,
      name,
    })
    if (vendor) vendors.push({ ...named, vendor })
  }
  const filled: FilledApi[] = []
  for (const made of syntheticCatalogue({ ...size, words: [...new Set(WORDS)] })) {
    // Some vendors have a hundred APIs, most have one or two.
    const chosen = vendors[Math.floor(vendors.length * number() ** 2)]
    if (!chosen) throw new Error('There are no vendors')
    const name = chosen.products[Math.floor(20 * number())]
    filled.push(
      await fillApi(storage, {
        made: name ? { ...made, api: { ...made.api, name: name } } : made,
        vendor: chosen.vendor,
        index: filled.length,
        number,
      }),
    )
  }
  return filled
}

async function fillApi(
  storage: FullStorage,
  given: {
    readonly made: SyntheticApi
    readonly vendor: Vendor
    readonly index: number
    readonly number: () => number
  },
): Promise<FilledApi> {
  const { made, vendor, index, number } = given
  const license = LICENSES[Math.floor(number() * 8)]
  const authTypes = AUTHS[Math.floor(number() * AUTHS.length)] ?? []
  const host = `api.service${index}.example`
  const api = {
    ...made.api,
    authTypes,
    servers: [{ url: `https://${host}`, name: '', variables: [] }],
    licenses: license ? [{ name: license, url: 'https://license.example/' }] : [],
  }
  const hasDeprecated = number() < 0.2
  const endpoints = made.endpoints.map((endpoint) => ({
    ...endpoint,
    servers: api.servers,
    url: `https://${host}${endpoint.path}`,
    authTypes,
    isDeprecated: hasDeprecated && number() < 0.1,
  }))
  const row = {
    ...sampleApiRow(index),
    ...api,
    encryptedId: toOpaqueId('api', `${vendor.name} ${api.name}`),
    categoryId: 1 + Math.floor(number() * 23),
  }
  const shortIds = (key: string) =>
    [0, 1, 2].map((attempt) => toShortId(`${vendor.name}|${api.name}|${key}`, attempt))
  const identity = {
    kind: 'http' as const,
    vendor,
    name: foldName(api.name),
    majorVersion: api.majorVersion,
  }
  const { encryptedId, apiId } = await storage.imports.replaceApi(identity, () => ({
    api: row,
    added: endpoints.map((description) => ({
      description,
      digest: hash53(description.key),
      shortIds: shortIds(description.key),
    })),
    changed: [],
    removed: [],
    components: new Map(),
    agreements: index % 4 === 0 ? toAgreements(host) : [],
    source: undefined,
    postings: (ids) =>
      buildPostingsSync({
        vendorName: vendor.name,
        categoryName: '',
        api,
        endpoints: endpoints.map((description) => ({
          id: ids.get(description.key) ?? 0,
          description,
        })),
      }),
  }))
  const { items } = await storage.catalogue.listEndpointPage({ apiId }, { size: 100, page: 1 })
  return {
    id: apiId,
    encryptedId,
    name: api.name,
    vendor,
    host,
    endpoints: items.map(({ method, path, shortId }) => [method, path, shortId]),
  }
}

function toAgreements(host: string): readonly ImportedAgreement[] {
  const link = (kind: string) => `https://${host}/${kind}`
  return [
    { name: 'Terms of service', link: link('terms'), kind: 'TermsOfService' },
    { name: 'Privacy policy', link: link('privacy'), kind: 'PrivacyPolicy' },
  ]
}

const SENTENCES = [
  'You may not use the service to build a competing product.',
  'We may change these terms at any time; continued use means that you agree.',
  'You keep all rights to the data that you send.',
  'We may share data of your users with our partners for marketing purposes.',
  'The service is provided as is, without warranty of any kind.',
  'Fees are not refundable. Limits of 1,000 requests per hour apply to the free plan.',
  'These terms are governed by the laws of the State of California.',
  'You may not publish the results of any benchmark of the service.',
  'Either party may terminate this agreement with thirty days of notice.',
  'Upon request, we delete personal data within thirty days.',
]

/** Adds three agreements with texts of 5 to 60 KB to some APIs. */
export async function fillAgreements(
  { agreements }: Pick<ApiDiscovery, 'agreements'>,
  given: { readonly apis: readonly FilledApi[]; readonly by: Account },
): Promise<void> {
  const number = createNumberGenerator(13)
  for (const { encryptedId, host } of given.apis) {
    await agreements.enter({
      target: { apiId: encryptedId },
      by: given.by,
      agreements: ['TermsOfService', 'PrivacyPolicy', 'RateLimits'].map((type) => ({
        name: type,
        link: `https://${host}/entered/${type}`,
        type,
        text: Array.from(
          { length: 100 + Math.floor(900 * number()) },
          () => SENTENCES[Math.floor(number() * SENTENCES.length)],
        ).join(' '),
      })),
    })
  }
}
