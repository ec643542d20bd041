import type { Generated } from 'kysely'

/** The tables of agreements; see `tables.ts`. */
export interface AgreementTables {
  readonly agreement: AgreementTable
  readonly agreement_text: AgreementTextTable
  readonly agreement_change: AgreementChangeTable
}

export interface AgreementTable {
  api_id: number
  /** 0: imported, 1: entered. */
  source: number
  /** Counted from 0 within its source. */
  position: number
  kind: string
  name: string
  link: string
  spdx_id: string
  /** Hex SHA-256 of the entered text, or empty. */
  text_digest: string
  /** Bytes of the text as UTF-8. */
  text_size: number
  retrieved_at: number | null
  /** Empty for imported ones. */
  account_id: string
  account_name: string
  first_seen_at: number
  changed_at: number
}

export interface AgreementTextTable {
  api_id: number
  digest: string
  text: string
}

export interface AgreementChangeTable {
  /** Order of change; given by the database. */
  position: Generated<number>
  api_id: number
  changed_at: number
  /** added, changed, removed. */
  change: string
  source: number
  account_id: string
  account_name: string
  /** JSON of the agreement before and after, or empty; see `agreement-rows.ts`. */
  before: string
  after: string
}
