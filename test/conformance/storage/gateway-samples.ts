import type {
  CallRecord,
  Credential,
  KeyPolicy,
  PublishedResponse,
  Recording,
} from '../../../core/gateway/records.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import { type Account, CALL_SOURCES } from '../../../core/shared/account.ts'

/** Accounts of the host: the storage has no rows for them. */
export const ADA: Account = { id: 'ada-1', name: 'Ada' }
export const BOB: Account = { id: 'bob-1', name: 'Bob' }

/** The day of the sample budgets. */
export const DAY = '2026-03-14'

/** Creates a credential that differs by number in every field but its kind. */
export function sampleCredential(
  number: number,
  changes: Partial<Credential> = { apiId: number },
): Credential {
  return {
    id: `credential${number}`,
    apiId: undefined,
    vendorId: undefined,
    kind: 'header',
    name: `X-Key-${number}`,
    origins: [`https://api${number}.example`, `https://eu.api${number}.example:8443`],
    tokenUrl: '',
    oauthScope: '',
    sealed: `v1.sealed${number}`,
    createdAt: 1_000 + number,
    updatedAt: 2_000 + number,
    ...changes,
  }
}

/** Creates a policy that differs by number in every field. */
export function samplePolicy(number: number, changes: Partial<KeyPolicy> = {}): KeyPolicy {
  return {
    keyId: `key${number}`,
    vendorIds: [number, 7],
    apiIds: [number + 100],
    methods: ['GET', 'POST'],
    dailyBudget: 1_000 + number,
    updatedAt: 3_000 + number,
    ...changes,
  }
}

/** Creates a call that differs by number in every field but its method and status. */
export function sampleCall(number: number, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    keyId: `key${number}`,
    source: CALL_SOURCES[(number + 3) % CALL_SOURCES.length] ?? 'unknown',
    client: `agent ${number}`,
    endpointId: 10 + number,
    endpoint: `short${number}`,
    apiId: 100 + number,
    method: 'GET',
    origin: `https://api${number}.example`,
    startedAt: Date.UTC(2026, 2, 14) + number,
    status: 200,
    failure: number % 2 === 0 ? '' : 'target_timeout',
    bytes: 5_000_000_000 + number,
    ms: number + 0.5,
    ...changes,
  }
}

/** Creates a recording that differs by number in every field but its status. */
export function sampleRecording(number: number, changes: Partial<Recording> = {}): Recording {
  return {
    id: `recording${number}`,
    endpointId: 10 + number,
    endpoint: `short${number}`,
    apiId: 100 + number,
    recordedAt: 4_000 + number,
    status: 200,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['x-number', String(number)],
      ['x-number', 'again'],
    ],
    mediaType: 'application/json',
    body: `{"number":${number}}`,
    isTruncated: number % 2 === 1,
    ...changes,
  }
}

/** Creates the published response of a sample recording for an endpoint. */
export function sampleAnswer(
  endpoint: { readonly id: number; readonly shortId: string; readonly apiId: number },
  changes: Partial<PublishedResponse> = {},
): PublishedResponse {
  const { id: _, recordedAt: __, isTruncated: ___, ...answer } = sampleRecording(1)
  return {
    ...answer,
    endpointId: endpoint.id,
    endpoint: endpoint.shortId,
    apiId: endpoint.apiId,
    publishedAt: 5_000,
    ...changes,
  }
}

/**
 * Writes one entity of each kind for `ADA`. Publishes for the first endpoint of the catalogue, if
 * any.
 */
export async function fillGateway(storage: FullStorage): Promise<void> {
  const { gateway, catalogue } = storage
  await gateway.saveCredential(ADA, sampleCredential(1))
  await gateway.savePolicy(ADA, samplePolicy(1))
  await gateway.takeCalls(ADA, { keyId: 'key1', day: DAY, wanted: 3, budget: 10 })
  await gateway.saveCalls([{ ...sampleCall(1), account: ADA }])
  await gateway.saveRecording(ADA, sampleRecording(1), 10)
  const endpoint = await catalogue.findEndpoint('1')
  if (endpoint) await gateway.publishResponse(sampleAnswer(endpoint))
}

/** Reads the gateway data of `ADA`, with the responses of the first API, for comparison. */
export async function takeGatewaySnapshot(storage: FullStorage) {
  const { gateway, catalogue } = storage
  const recordings = await gateway.listRecordings(ADA, { size: 100, page: 1 })
  const answers = await Promise.all(
    (await catalogue.listApiEndpoints(1)).map(({ id }) => gateway.findPublishedResponse(id)),
  )
  return {
    credentials: await gateway.listCredentials(ADA),
    policies: await gateway.listPolicies(ADA),
    calls: await gateway.listCalls(ADA, { size: 100, page: 1 }),
    recordings,
    bodies: await Promise.all(
      recordings.items.map(async ({ id }) => (await gateway.findRecording(ADA, id))?.body),
    ),
    answers: answers.filter((answer) => answer !== undefined),
    budgets: await readBudgets(storage),
  }
}

/** Reads the remaining calls of each sample key of `ADA`, for a budget of ten. */
async function readBudgets({ gateway }: FullStorage): Promise<readonly number[]> {
  const request = { keyId: 'key1', day: DAY }
  const left = await gateway.takeCalls(ADA, { ...request, wanted: 10, budget: 10 })
  await gateway.returnCalls(ADA, { ...request, count: left })
  return left === 10 ? [] : [left]
}
