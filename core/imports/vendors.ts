import { findCategory, GENERAL_CATEGORY } from '../catalogue/categories.ts'
import type { ApiDescription, Server, Vendor } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { isReserved } from '../matching/hosts.ts'
import { foldName } from '../shared/text.ts'
import { classifyClaim } from '../vendors/host-vendors.ts'
import {
  isDomainName,
  isVendorName,
  KNOWN_VENDORS,
  listVendorNames,
  toProperName,
} from '../vendors/known-vendors.ts'
import { isFreeMail, isSharedDomain, isSharedHost, parseHost } from '../vendors/shared-hosts.ts'
import type { DescriptionKind } from './detect-kind.ts'
import { expandServerUrl, isAbsolute } from './extract/servers.ts'
import type { ImportWarning } from './records.ts'

type VendorStore = Pick<CatalogueStore, 'findVendor' | 'searchVendors' | 'findApisByName'>

/**
 * Returns the catalogued vendors that a name may refer to, best match first: by proper name, by the
 * name as written, then by other domains of a known vendor. A domain also matches the vendor with a
 * similar name and its homepage there.
 */
export async function findNamedVendors(
  catalogue: VendorStore,
  name: string,
): Promise<readonly Vendor[]> {
  const found: Vendor[] = []
  for (const each of listVendorNames(name)) {
    const vendor = await catalogue.findVendor(each)
    if (vendor && !found.some(({ id }) => id === vendor.id)) found.push(vendor)
  }
  return found.length > 0 || !isDomainName(name)
    ? found
    : findVendorsByHomepage(catalogue, name.trim())
}

/** Returns the vendor that already has the API, else the first. */
export async function chooseVendor(
  catalogue: VendorStore,
  choice: {
    readonly vendors: readonly Vendor[]
    readonly api: Pick<ApiDescription, 'name' | 'majorVersion'>
  },
): Promise<Vendor | undefined> {
  const { vendors, api } = choice
  if (vendors.length < 2) return vendors[0]
  for (const vendor of vendors) {
    const names = { apiName: api.name, vendorName: vendor.name }
    const known = await catalogue.findApisByName(names)
    if (known.some(({ majorVersion }) => majorVersion === api.majorVersion)) return vendor
  }
  return vendors[0]
}

/**
 * Returns the homepage of a vendor created from a contact URL; empty if the URL is on a shared
 * host.
 */
export function toVendorHomepage(contactUrl: string): string {
  const { hostname } = parseHost(contactUrl)
  return hostname && isSharedHost(hostname) ? '' : contactUrl
}

/** Creates a warning for each server whose host belongs to another known vendor. */
export function warnOfForeignServers(described: {
  readonly api: Pick<ApiDescription, 'servers'>
  readonly kind: DescriptionKind
  readonly vendorName: string
}): readonly ImportWarning[] {
  const { api, kind, vendorName } = described
  const pointer = { 'swagger-2.0': '/host', mcp: '/remotes', a2a: '' }[String(kind)] ?? '/servers'
  const warned = new Map<string, ImportWarning>()
  for (const server of api.servers) {
    const { hostname } = parseHost(expandServerUrl(server))
    if (!hostname || !isAbsolute(server.url)) continue
    const isTemplate = /^[^/]*\/\/[^/]*\{/.test(server.url)
    const owner = KNOWN_VENDORS.findByHost(hostname)?.name
    const claim = classifyClaim({ host: hostname, vendorName, isTemplate })
    if (owner === undefined || claim !== 'foreign' || warned.has(hostname)) continue
    const message = `The host of ${server.url} belongs to ${owner}: its URLs are not matched to this API`
    warned.set(hostname, { pointer, message })
  }
  return [...warned.values()]
}

/** Returns the vendors with a homepage in the domain and a similar name. */
async function findVendorsByHomepage(
  catalogue: VendorStore,
  name: string,
): Promise<readonly Vendor[]> {
  const domain = foldName(name)
  if (isSharedDomain(domain)) return []
  const { items } = await catalogue.searchVendors(
    { q: domain },
    { page: 1, size: MAX_HOMEPAGE_VENDORS },
  )
  return items.filter((vendor) => {
    const isOther = isDomainName(vendor.name) || parseHost(vendor.homepage).domain !== domain
    return !isOther && isVendorName(vendor.name, { vendor: domain, host: domain })
  })
}

const MAX_HOMEPAGE_VENDORS = 20

/** Maps category names of apis.guru to ours. */
const APIS_GURU_CATEGORIES: Readonly<Record<string, string>> = {
  analytics: 'Sales & Marketing',
  backend: 'Software & Services',
  cloud: 'Software & Services',
  collaboration: 'Work & Personal Assistance',
  customer_relation: 'Sales & Marketing',
  developer_tools: 'Software & Services',
  ecommerce: 'eCommerce & Trade',
  education: 'Research & Education',
  email: 'Social Media & Technology',
  enterprise: 'Business & Technology',
  entertainment: 'Sports & Entertainment',
  events: 'Sports & Entertainment',
  financial: 'Finance & Banking',
  forms: 'Business & Technology',
  hosting: 'Software & Services',
  iot: 'Software & Services',
  location: 'GeoInformatics & Navigation',
  machine_learning: 'Artificial Intelligence & Data Science',
  marketing: 'Sales & Marketing',
  media: 'News & Media',
  messaging: 'Social Media & Technology',
  monitoring: 'Software & Services',
  open_data: 'Government & Public Services',
  payment: 'Finance & Banking',
  project_management: 'Work & Personal Assistance',
  search: 'Information & Science',
  security: 'Security & Technology',
  social: 'Social Media & Technology',
  storage: 'Software & Services',
  support: 'Business & Technology',
  telecom: 'Social Media & Technology',
  text: 'Information & Science',
  time_management: 'Work & Personal Assistance',
  tools: 'Software & Services',
  transport: 'Transportation & Automobile',
}

/**
 * Infers the vendor of an API if the request names none. Uses the description's provider name, else
 * the host of servers, documentation or contact, in this order. A host yields its known vendor,
 * else its registrable domain. Shared hosts, private hosts and mail services yield nothing. A name
 * at a hosting service (`acme.herokuapp.com`) is the fallback, then the title.
 */
export function inferVendorName(description: {
  readonly providerName: string
  readonly api: Pick<ApiDescription, 'name' | 'servers' | 'homepage' | 'contact'>
}): string {
  const { api } = description
  const providerName = description.providerName.trim()
  if (providerName !== '' && !isPrivateName(providerName)) return toProperName(providerName)
  const mail = api.contact.email.split('@')[1] ?? ''
  const addresses = [
    ...api.servers.map(insertVariableDefaults),
    api.homepage,
    api.contact.url,
    mail,
  ]
  let hosted: string | undefined
  for (const address of addresses) {
    const { hostname, domain, isPrivate } = parseHost(address)
    const isPersonal = address === mail && isFreeMail(mail)
    const provesNothing =
      !hostname || !domain || isReserved(hostname) || isSharedDomain(domain) || isPersonal
    const known = KNOWN_VENDORS.findByHost(hostname ?? '')
    if (known && (known.by === 'host' || (known.by === 'domain' && !provesNothing)))
      return known.name
    if (provesNothing) continue
    if (isPrivate) hosted ??= domain
    else return domain
  }
  return hosted ?? api.name
}

/** True for a placeholder of a private server, such as `acme.local`. */
function isPrivateName(name: string): boolean {
  return /^[^\s.]+\.\S+$/.test(name) && isReserved(name.toLowerCase())
}

/** Infers the category if the request names none: one of our names, else one of apis.guru's. */
export function inferCategoryName(categories: readonly string[]): string {
  for (const category of categories) {
    const known = findCategory(category)?.name ?? APIS_GURU_CATEGORIES[category]
    if (known !== undefined) return known
  }
  return GENERAL_CATEGORY
}

function insertVariableDefaults({ url, variables }: Server): string {
  return variables.reduce(
    (text, variable) => text.replaceAll(`{${variable.name}}`, variable.default),
    url,
  )
}
