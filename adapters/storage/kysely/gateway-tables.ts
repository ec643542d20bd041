import type { Generated } from 'kysely'

/**
 * The tables of the gateway, see `core/gateway/store.ts`. Accounts and keys are not referred to:
 * a host that authenticates on its own has them elsewhere.
 */
export interface GatewayTables {
  readonly gateway_credential: GatewayCredentialTable
  readonly gateway_policy: GatewayPolicyTable
  readonly gateway_budget: GatewayBudgetTable
  readonly gateway_call: GatewayCallTable
  readonly gateway_call_day: GatewayCallDayTable
  readonly gateway_recording: GatewayRecordingTable
  readonly published_answer: PublishedAnswerTable
}

export interface GatewayCredentialTable {
  /** Order of creation; given by the database. */
  position: Generated<number>
  account_id: string
  id: string
  /** 0 for one of a vendor. */
  api_id: number
  /** 0 for one of an API. */
  vendor_id: number
  kind: string
  name: string
  folded_name: string
  /** JSON array. */
  origins: string
  token_url: string
  oauth_scope: string
  sealed: string
  created_at: number
  updated_at: number
}

export interface GatewayPolicyTable {
  account_id: string
  key_id: string
  /** JSON arrays; null allows any. */
  vendor_ids: string | null
  api_ids: string | null
  methods: string | null
  daily_budget: number | null
  updated_at: number
}

/** What a key has taken out of its budget on a day. */
export interface GatewayBudgetTable {
  account_id: string
  key_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  taken: number
  /** How many of them were taken last. */
  granted: number
}

export interface GatewayCallTable {
  /** Order of writing; given by the database. */
  position: Generated<number>
  account_id: string
  key_id: string
  endpoint_id: number
  endpoint: string
  api_id: number
  method: string
  origin: string
  started_at: number
  status: number
  failure: string
  bytes: number
  ms: number
  source: string
}

/** How many calls the audit has: counting rows takes too long when they are millions. */
export interface GatewayCallDayTable {
  account_id: string
  /** Since the epoch, UTC, by the beginning of the calls. */
  day: number
  calls: number
}

interface AnswerColumns {
  /** Short id. */
  endpoint: string
  api_id: number
  status: number
  /** JSON array of pairs. */
  headers: string
  media_type: string
  body: string | null
}

export interface GatewayRecordingTable extends AnswerColumns {
  /** Order of writing; given by the database. */
  position: Generated<number>
  account_id: string
  id: string
  endpoint_id: number
  recorded_at: number
  is_truncated: number
}

/** By short id: an endpoint that goes and comes again has another numeric one. */
export interface PublishedAnswerTable extends AnswerColumns {
  published_at: number
}
