import { parse } from 'tldts'
import { findCategory, GENERAL_CATEGORY } from '../catalogue/categories.ts'
import type { ApiDescription, Server } from '../catalogue/records.ts'

/** What an API belongs to when the description's own category names are those of apis.guru. */
const CATEGORY_OF_WORD: Readonly<Record<string, string>> = {
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
 * The vendor of an API whose importer named none: the description's provider name, else the
 * registrable domain of its servers, its documentation or its contact, in this order, else its
 * title. An address without such a domain (`localhost`, an IP address) says nothing.
 */
export function inferVendorName(given: {
  readonly providerName: string
  readonly api: Pick<ApiDescription, 'name' | 'servers' | 'homepage' | 'contact'>
}): string {
  const { providerName, api } = given
  if (providerName.trim() !== '') return providerName.trim()
  const email = api.contact.email.split('@')[1] ?? ''
  const places = [...api.servers.map(fillServer), api.homepage, api.contact.url, email]
  for (const place of places) {
    const { domain } = parse(place)
    if (domain) return domain
  }
  return api.name
}

/** The category of an API whose importer named none: one of our names, else one of apis.guru's. */
export function inferCategoryName(categories: readonly string[]): string {
  for (const category of categories) {
    const known = findCategory(category)?.name ?? CATEGORY_OF_WORD[category]
    if (known !== undefined) return known
  }
  return GENERAL_CATEGORY
}

function fillServer({ url, variables }: Server): string {
  return variables.reduce(
    (text, variable) => text.replaceAll(`{${variable.name}}`, variable.default),
    url,
  )
}
