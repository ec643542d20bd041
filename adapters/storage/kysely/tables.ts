import type { Generated } from 'kysely'
import type { AgreementTables } from './agreement-tables.ts'
import type { GatewayTables } from './gateway-tables.ts'
import type { JobTables } from './job-tables.ts'
import type { ScanTables } from './scan-tables.ts'
import type { UserTables } from './user-tables.ts'
import type { VulnerabilityTables } from './vulnerability-tables.ts'

/**
 * The tables as both engines hold them. Flags are 0 or 1, lists and objects are JSON text, times
 * are milliseconds since the epoch. Rows with `since` and `until` are versions: one is seen by
 * every generation from `since` up to, but without, `until`; the current one has no `until`.
 */
export interface Tables
  extends AgreementTables,
    VulnerabilityTables,
    GatewayTables,
    JobTables,
    ScanTables,
    UserTables {
  readonly schema_version: SchemaVersionTable
  readonly catalogue_state: CatalogueStateTable
  readonly catalogue_generation: CatalogueGenerationTable
  readonly vendor: VendorTable
  readonly vendor_agreement: VendorAgreementTable
  readonly api: ApiTable
  readonly api_source: ApiSourceTable
  readonly api_import: ApiImportTable
  readonly import_report: ImportReportTable
  readonly component: ComponentTable
  readonly endpoint: EndpointTable
  readonly endpoint_detail: EndpointDetailTable
  readonly search_posting: SearchPostingTable
  readonly search_version: SearchVersionTable
  readonly account: AccountTable
  readonly api_key: ApiKeyTable
  readonly key_refusal: KeyRefusalTable
}

/** Which migrations have run. */
export interface SchemaVersionTable {
  version: number
  applied_at: number
}

/** One row: the current generation, and the next ids, which are never given twice. */
export interface CatalogueStateTable {
  id: number
  generation: number
  /** When the current generation began; 0 for an empty catalogue. */
  changed_at: number
  /** Versions that ended at this generation or before are gone. */
  purged: number
  next_vendor_id: number
  next_api_id: number
  next_endpoint_id: number
}

/** When each generation began; kept as long as a long list may still read the one before. */
export interface CatalogueGenerationTable {
  generation: number
  started_at: number
}

export interface VendorTable {
  id: number
  encrypted_id: string
  name: string
  folded_name: string
  homepage: string
  /** Host of the homepage, lower case. */
  host: string
  description: string
  /** Words of name and description, each after one space. */
  words: string
  is_public: number
  image: string
  countries: string
  created_at: number
}

export interface VendorAgreementTable {
  vendor_id: number
  position: number
  name: string
  link: string
  kind: string
}

export interface ApiTable {
  /** Names this version; the first version's is the API's id. */
  row_id: number
  id: number
  since: number
  until: number | null
  encrypted_id: string
  vendor_id: number
  name: string
  folded_name: string
  major_version: string
  version: string
  category_id: number | null
  is_public: number
  is_implemented: number
  is_claiming: number
  can_claim: number
  is_agreements_restricted: number
  is_described: number
  source_digest: string
  created_at: number
  updated_at: number
  /** JSON of what no query asks for, see `api-rows.ts`. */
  detail: string
}

export interface ApiSourceTable {
  api_id: number
  media_type: string
  digest: string
  bytes: Uint8Array
}

export interface ApiImportTable {
  api_id: number
  imported_at: number
}

export interface ImportReportTable {
  /** Order of the imports; given by the database. */
  position: Generated<number>
  imported_at: number
  /** Both empty for the operator. */
  account_id: string
  account_name: string
  file_name: string
  vendor_name: string
  api_id: string
  api_name: string
  is_failed: number
  /** JSON of what came of it. */
  outcome: string
}

export interface ComponentTable {
  api_id: number
  pointer: string
  json: string
}

export interface EndpointTable {
  /** Names this version; the first version's is the endpoint's id. */
  row_id: number
  id: number
  since: number
  until: number | null
  api_id: number
  short_id: string
  digest: number
  key: string
  /** `hash53` of the key: what its index holds, whatever the key's length. */
  key_digest: number
  method: string
  path: string
  url: string
  description: string
  is_inbound: number
  is_deprecated: number
}

/** The bulk of an endpoint, apart, so that lists read narrow rows. */
export interface EndpointDetailTable {
  row_id: number
  servers: string
  /** JSON of everything that has no column, see `endpoint-rows.ts`. */
  detail: string
}

export interface SearchPostingTable {
  term: string
  api_id: number
  weight: number
  endpoints: Uint8Array
}

/** By which version of the term rules an API is indexed. */
export interface SearchVersionTable {
  api_id: number
  version: number
}

export interface AccountTable {
  /** Order of creation; given by the database. */
  position: Generated<number>
  id: string
  name: string
  folded_name: string
  created_at: number
}

export interface ApiKeyTable {
  /** Order of creation; given by the database. */
  position: Generated<number>
  id: string
  account_id: string
  name: string
  hint: string
  hash: string
  sealed: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export interface KeyRefusalTable {
  key_id: string
  operation: string
  reason: string
  account_id: string
  /** How often. */
  refused: number
  last_at: number
}
