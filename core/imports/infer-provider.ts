import { findCategory, GENERAL_CATEGORY } from '../catalogue/categories.ts'
import type { ApiDescription, Server } from '../catalogue/records.ts'
import { isReserved } from '../matching/hosts.ts'
import { KNOWN_VENDORS, toProperName } from '../vendors/known-vendors.ts'
import { isFreeMail, isSharedDomain, parseHost } from '../vendors/shared-hosts.ts'

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
