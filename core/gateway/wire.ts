import * as v from 'valibot'
import { CALL_SOURCES } from '../shared/account.ts'
import { toTimestamp } from '../shared/dates.ts'

import { printableLine } from '../shared/line-schema.ts'
import { boundedList } from '../shared/list-schema.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import { toPageEnvelope } from '../shared/pages.ts'
import {
  type CallRecord,
  CREDENTIAL_KINDS,
  type Credential,
  type KeyPolicy,
  type PublishedResponse,
  type Recording,
} from './records.ts'

const integer = v.pipe(v.number(), v.integer())

const pageEntries = {
  num_results: integer,
  num_pages: integer,
  current_page: integer,
  page_size: integer,
}

const optionalList = <Item extends v.GenericSchema>(item: Item, maxLength: number) =>
  v.nullish(boundedList(item, maxLength))

/** `encrypted_id` or numeric ID, as number or string. */
const apiId = v.union([
  v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1')),
  printableLine(40),
])

/** Body of `PUT /gateway/credentials`. The service checks which members are required together. */
export const newCredentialSchema = v.strictObject({
  api_id: v.nullish(apiId),
  vendor: v.nullish(printableLine(200)),
  kind: v.picklist(CREDENTIAL_KINDS, `must be one of ${CREDENTIAL_KINDS.join(', ')}`),
  name: v.nullish(printableLine(200)),
  value: v.nullish(printableLine(16_384)),
  username: v.nullish(printableLine(1000)),
  password: v.nullish(printableLine(1000)),
  client_id: v.nullish(printableLine(1000)),
  client_secret: v.nullish(printableLine(4000)),
  token_url: v.nullish(printableLine(2000)),
  scope: v.nullish(printableLine(2000)),
  origins: optionalList(printableLine(300), 100),
})

/** A stored credential without its secret parts. */
export const credentialSchema = v.object({
  credential_id: v.string(),
  api_id: v.nullable(integer),
  vendor: v.nullable(v.string()),
  kind: v.picklist(CREDENTIAL_KINDS),
  name: v.string(),
  origins: v.array(v.string()),
  token_url: v.string(),
  scope: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
})

export const credentialListSchema = v.object({ credentials: v.array(credentialSchema) })

export const callHistorySchema = v.object({
  ...pageEntries,
  calls: v.array(
    v.object({
      key_id: v.string(),
      caller: v.picklist([...CALL_SOURCES, 'unknown']),
      client: v.string(),
      endpoint_id: v.string(),
      api_id: integer,
      method: v.string(),
      origin: v.string(),
      start_time: v.string(),
      status: integer,
      failure: v.string(),
      bytes: integer,
      milliseconds: integer,
    }),
  ),
})

/** Body of `PUT /gateway/policies`. */
export const newPolicySchema = v.strictObject({
  key_id: v.pipe(printableLine(40), v.minLength(1, 'must not be empty')),
  vendors: optionalList(printableLine(200), 1000),
  api_ids: optionalList(apiId, 1000),
  methods: optionalList(
    v.pipe(printableLine(20), v.regex(/^[A-Za-z]+$/, 'must be an HTTP method'), v.toUpperCase()),
    20,
  ),
  daily_budget: v.nullish(
    v.pipe(
      v.number(),
      v.integer('must be an integer'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(1_000_000_000, 'must be at most 1000000000'),
    ),
  ),
})

export const policySchema = v.object({
  key_id: v.string(),
  vendors: v.nullable(v.array(v.string())),
  api_ids: v.nullable(v.array(integer)),
  methods: v.nullable(v.array(v.string())),
  daily_budget: v.nullable(integer),
  updated_at: v.string(),
})

export const policyListSchema = v.object({ policies: v.array(policySchema) })

const recordingEntries = {
  recording_id: v.string(),
  endpoint_id: v.string(),
  api_id: integer,
  recorded_at: v.string(),
  status: integer,
  headers: v.array(v.object({ name: v.string(), value: v.string() })),
  media_type: v.string(),
  is_truncated: v.boolean(),
}

export const recordingListSchema = v.object({
  ...pageEntries,
  recordings: v.array(v.object(recordingEntries)),
})

/** The body is null if it is not text. */
export const recordingSchema = v.object({ ...recordingEntries, body: v.nullable(v.string()) })

/** Body of `POST /gateway/recordings/publish`. */
export const publishSchema = v.strictObject({
  recording_id: v.pipe(printableLine(40), v.minLength(1, 'must not be empty')),
})

export const publishedSchema = v.object({ endpoint_id: v.string(), published_at: v.string() })

/** `vendor` is the name of the credential's vendor, if it has one. */
export function toCredentialWire(credential: Credential, vendor: string | undefined) {
  return {
    credential_id: credential.id,
    api_id: credential.apiId ?? null,
    vendor: vendor ?? null,
    kind: credential.kind,
    name: credential.name,
    origins: [...credential.origins],
    token_url: credential.tokenUrl,
    scope: credential.oauthScope,
    created_at: toTimestamp(credential.createdAt),
    updated_at: toTimestamp(credential.updatedAt),
  }
}

export function toCallHistoryWire(page: Page<CallRecord>, request: PageRequest) {
  return {
    ...toPageEnvelope(page.total, request),
    calls: page.items.map((call) => ({
      key_id: call.keyId,
      caller: call.source,
      client: call.client,
      endpoint_id: call.endpoint,
      api_id: call.apiId,
      method: call.method,
      origin: call.origin,
      start_time: toTimestamp(call.startedAt),
      status: call.status,
      failure: call.failure,
      bytes: call.bytes,
      milliseconds: Math.round(call.ms),
    })),
  }
}

/** `vendors` are the names of the policy's vendors that still exist. */
export function toPolicyWire(policy: KeyPolicy, vendors: readonly string[]) {
  return {
    key_id: policy.keyId,
    vendors: policy.vendorIds ? [...vendors] : null,
    api_ids: policy.apiIds ? [...policy.apiIds] : null,
    methods: policy.methods ? [...policy.methods] : null,
    daily_budget: policy.dailyBudget ?? null,
    updated_at: toTimestamp(policy.updatedAt),
  }
}

export function toRecordingListWire(page: Page<Omit<Recording, 'body'>>, request: PageRequest) {
  return {
    ...toPageEnvelope(page.total, request),
    recordings: page.items.map(toRecordingHead),
  }
}

export function toRecordingWire(recording: Recording) {
  return { ...toRecordingHead(recording), body: recording.body ?? null }
}

export function toPublishedWire({ endpoint, publishedAt }: PublishedResponse) {
  return { endpoint_id: endpoint, published_at: toTimestamp(publishedAt) }
}

function toRecordingHead(recording: Omit<Recording, 'body'>) {
  return {
    recording_id: recording.id,
    endpoint_id: recording.endpoint,
    api_id: recording.apiId,
    recorded_at: toTimestamp(recording.recordedAt),
    status: recording.status,
    headers: recording.headers.map(([name, value]) => ({ name, value })),
    media_type: recording.mediaType,
    is_truncated: recording.isTruncated,
  }
}
