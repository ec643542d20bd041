import type { Kysely, Selectable } from 'kysely'
import type { Api, ApiDescription, Vendor } from '../../../core/catalogue/records.ts'
import type { ApiRow } from '../../../core/imports/store.ts'
import { toCleanJson } from './clean-text.ts'
import type { ApiTable, Tables, VendorTable } from './tables.ts'

/** Selects current and former versions of APIs, each with its vendor. */
export function selectApis(db: Kysely<Tables>) {
  return db
    .selectFrom('api')
    .innerJoin('vendor', 'vendor.id', 'api.vendor_id')
    .select([...API_COLUMNS, ...VENDOR_COLUMNS])
}

/** A row of `selectApis`. */
export type ApiWithVendor = Omit<ApiTable, 'row_id' | 'since' | 'until' | 'folded_name'> & {
  readonly vendor_encrypted_id: string
  readonly vendor_name: string
  readonly vendor_homepage: string
  readonly vendor_description: string
  readonly vendor_is_public: number
  readonly vendor_image: string
  readonly vendor_countries: string
  readonly vendor_created_at: number
}

/** Converts a row of `selectApis` to an API. */
export function toApi(row: ApiWithVendor): Api {
  // The cast is safe: `toApiValues` below wrote it.
  const detail = JSON.parse(row.detail) as ApiDetail
  return {
    id: row.id,
    encryptedId: row.encrypted_id,
    vendor: toVendor({
      id: row.vendor_id,
      encrypted_id: row.vendor_encrypted_id,
      name: row.vendor_name,
      homepage: row.vendor_homepage,
      description: row.vendor_description,
      is_public: row.vendor_is_public,
      image: row.vendor_image,
      countries: row.vendor_countries,
      created_at: row.vendor_created_at,
    }),
    kind: row.kind,
    name: row.name,
    version: row.version,
    majorVersion: row.major_version,
    ...detail,
    categoryId: row.category_id ?? undefined,
    isPublic: row.is_public === 1,
    isImplemented: row.is_implemented === 1,
    isClaiming: row.is_claiming === 1,
    canClaim: row.can_claim === 1,
    isAgreementsRestricted: row.is_agreements_restricted === 1,
    isDescribed: row.is_described === 1,
    sourceDigest: row.source_digest,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Converts a row to a vendor. */
export function toVendor(
  row: Omit<Selectable<VendorTable>, 'folded_name' | 'host' | 'words'>,
): Vendor {
  return {
    id: row.id,
    encryptedId: row.encrypted_id,
    name: row.name,
    homepage: row.homepage,
    description: row.description,
    isPublic: row.is_public === 1,
    image: row.image,
    // The cast is safe: `saveVendor` wrote it.
    countries: JSON.parse(row.countries) as string[],
    createdAt: row.created_at,
  }
}

/** Returns the columns that an import sets, without those of the API's identity. */
export function toApiValues(api: ApiRow) {
  const detail: ApiDetail = {
    description: api.description,
    homepage: api.homepage,
    authTypes: api.authTypes,
    licenses: api.licenses,
    servers: api.servers,
    tags: api.tags,
    contact: api.contact,
    image: api.image,
    countries: api.countries,
  }
  return {
    encrypted_id: api.encryptedId,
    kind: api.kind,
    name: api.name,
    version: api.version,
    category_id: api.categoryId ?? null,
    is_public: Number(api.isPublic),
    is_implemented: Number(api.isImplemented),
    source_digest: api.sourceDigest,
    updated_at: api.now,
    detail: toCleanJson(detail),
  }
}

type ApiDetail = Omit<ApiDescription, 'kind' | 'name' | 'version' | 'majorVersion'> &
  Pick<Api, 'countries'>

const API_COLUMNS = [
  'api.id',
  'api.encrypted_id',
  'api.vendor_id',
  'api.name',
  'api.major_version',
  'api.kind',
  'api.version',
  'api.category_id',
  'api.is_public',
  'api.is_implemented',
  'api.is_claiming',
  'api.can_claim',
  'api.is_agreements_restricted',
  'api.is_described',
  'api.source_digest',
  'api.created_at',
  'api.updated_at',
  'api.detail',
] as const

const VENDOR_COLUMNS = [
  'vendor.encrypted_id as vendor_encrypted_id',
  'vendor.name as vendor_name',
  'vendor.homepage as vendor_homepage',
  'vendor.description as vendor_description',
  'vendor.is_public as vendor_is_public',
  'vendor.image as vendor_image',
  'vendor.countries as vendor_countries',
  'vendor.created_at as vendor_created_at',
] as const
