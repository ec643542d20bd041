import * as v from 'valibot'
import { getCategory } from '../catalogue/categories.ts'
import type { AgreementLink, Api } from '../catalogue/records.ts'
import { toUnpaddedDay } from '../shared/dates.ts'

/** Agreements result (Specification 2.11). */
export const agreementsSchema = v.object({
  api_name: v.string(),
  description: v.string(),
  agreements: v.array(v.object({ agreement_name: v.string(), agreement_link: v.string() })),
})

/** Recently added API (Specification 2.12). */
export const addedApiSchema = v.object({
  'API Name': v.string(),
  Description: v.string(),
  'API ID': v.nullable(v.string()),
  'Category Name': v.string(),
  'Vendor Name': v.string(),
  'Datetime Created': v.string(),
})

export function toAgreementsWire(api: Api, agreements: readonly AgreementLink[]) {
  return {
    api_name: api.name,
    description: api.description,
    agreements: agreements.map(({ name, link }) => ({
      agreement_name: name,
      agreement_link: link,
    })),
  }
}

export function toAddedApiWire(api: Api) {
  return {
    'API Name': api.name,
    Description: api.description,
    'API ID': api.isDescribed ? api.encryptedId : null,
    'Category Name': getCategory(api.categoryId)?.name ?? '',
    'Vendor Name': api.vendor.name,
    'Datetime Created': toUnpaddedDay(api.createdAt),
  }
}
