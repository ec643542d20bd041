import { toOpaqueId } from '../shared/ids.ts'
import { foldName } from '../shared/text.ts'

/** The categories in the order and spelling of Specification 2.14. */
export const CATEGORIES = [
  'Artificial Intelligence & Data Science',
  'Business & Technology',
  'eCommerce & Trade',
  'Environment & Weather',
  'Finance & Banking',
  'GeoInformatics & Navigation',
  'Government & Public Services',
  'Health Science & Medicine',
  'Information & Science',
  'Justice & Public Safety',
  'Logistics & Infrastrcture',
  'Natural Resources & Energy',
  'News & Media',
  'Religion & spirituality',
  'Research & Education',
  'Sales & Marketing',
  'Security & Technology',
  'Skills & Career Development',
  'Social Media & Technology',
  'Software & Services',
  'Sports & Entertainment',
  'Transportation & Automobile',
  'Work & Personal Assistance',
] as const

/** Default category, if neither the import request nor the description names a known one. */
export const GENERAL_CATEGORY = 'Software & Services'

export interface Category {
  /** Position in the list, from 1. */
  readonly id: number
  readonly name: string
  /** Relative path of the image that the console serves. */
  readonly image: string
  readonly encryptedId: string
}

const CATEGORY_LIST: readonly Category[] = CATEGORIES.map((name, index) => ({
  id: index + 1,
  name,
  image: `images/categories/${toImageSlug(name)}.svg`,
  encryptedId: toOpaqueId('category', name),
}))

const BY_NAME = new Map(CATEGORY_LIST.map((category) => [toCategoryKey(category.name), category]))

/** Finds a category by its listed or corrected spelling, ignoring case, spaces and `&` vs `and`. */
export function findCategory(name: string): Category | undefined {
  return BY_NAME.get(toCategoryKey(name))
}

/** Returns a category by its position from 1; undefined for an API without a category. */
export function getCategory(id: number | undefined): Category | undefined {
  return id === undefined ? undefined : CATEGORY_LIST[id - 1]
}

function toCategoryKey(name: string): string {
  return foldName(name)
    .replaceAll('&amp;', '&')
    .replace(/\band\b/g, '&')
    .replace(/\s+/g, '')
    .replace('infrastructure', 'infrastrcture')
}

function toImageSlug(name: string): string {
  return foldName(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
