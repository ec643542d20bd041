import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { CallRecord, Credential, KeyPolicy, PublishedResponse, Recording } from './records.ts'

/**
 * Storage of the gateway: credentials, policies, budgets, audit and recordings, by account.
 * `CatalogueStore.removeApi` also removes the credentials and recordings of an API. Credentials of
 * its vendor and the audit stay.
 */
export interface GatewayStore {
  /**
   * Adds a credential, or replaces the account's credential of the same API or vendor, kind and
   * name (case-folded). A replacement must have the existing ID, as `sealed` is bound to it: call
   * `findCredentialId` first. The creation time stays.
   *
   * Throws a `ServiceError` with code `conflict` if the existing ID differs, and `invalid_input`
   * for a name longer than `MAX_NAME` characters.
   */
  saveCredential(account: Account, credential: Credential): Promise<void>
  /** Returns the ID that `saveCredential` expects; undefined if no such credential exists. */
  findCredentialId(
    account: Account,
    identity: Pick<Credential, 'apiId' | 'vendorId' | 'kind' | 'name'>,
  ): Promise<string | undefined>
  /** Ordered by creation time. */
  listCredentials(account: Account): Promise<readonly Credential[]>
  /**
   * Credentials of the API, then those of its vendor, each ordered by creation time. A hot read.
   */
  findCredentials(
    account: Account,
    target: { readonly apiId: number; readonly vendorId: number },
  ): MaybePromise<readonly Credential[]>
  /**
   * Lists the sealed credentials of all accounts by creation time, to rewrap them with a new
   * secret.
   */
  listSealedCredentials(): Promise<readonly SealedCredential[]>
  /** Returns false if the credential doesn't exist or its sealed text is no longer `from`. */
  replaceSealed(
    account: Pick<Account, 'id'>,
    credentialId: string,
    change: { readonly from: string; readonly to: string },
  ): Promise<boolean>
  /** Returns false if the credential doesn't exist. */
  removeCredential(account: Account, credentialId: string): Promise<boolean>

  savePolicy(account: Account, policy: KeyPolicy): Promise<void>
  /** Finds the policy of a key. Called for every gateway call. */
  findPolicy(account: Account, keyId: string): MaybePromise<KeyPolicy | undefined>
  /** Ordered by key ID. */
  listPolicies(account: Account): Promise<readonly KeyPolicy[]>
  /** Returns false if the key has no policy. */
  removePolicy(account: Account, keyId: string): Promise<boolean>

  /**
   * Atomically takes up to `wanted` calls from the remaining `budget` of a key on a day
   * (`YYYY-MM-DD`, UTC). Returns how many were taken. The total never exceeds `budget`, also with
   * concurrent processes.
   */
  takeCalls(
    account: Account,
    request: {
      readonly keyId: string
      readonly day: string
      readonly wanted: number
      readonly budget: number
    },
  ): Promise<number>
  /** Returns how many calls of a day are taken. */
  countTakenCalls(
    account: Account,
    request: { readonly keyId: string; readonly day: string },
  ): Promise<number>
  /** Returns calls that were taken and not made. */
  returnCalls(
    account: Account,
    request: { readonly keyId: string; readonly day: string; readonly count: number },
  ): Promise<void>

  /** Appends to the audit in one transaction. */
  saveCalls(calls: readonly (CallRecord & { readonly account: Account })[]): Promise<void>
  /** Newest first. */
  listCalls(account: Account, request: PageRequest): Promise<Page<CallRecord>>
  /**
   * Counts the target's responses to the account's calls of an endpoint, by status. Failed and
   * unsent calls are not counted.
   */
  countResponses(account: Account, endpointId: number): Promise<ReadonlyMap<number, number>>
  /**
   * Removes calls that started before `before` and budgets of earlier days; at most `limit` rows.
   * Returns the number of removed rows.
   */
  sweepCalls(request: { readonly before: number; readonly limit: number }): Promise<number>

  /**
   * Saves a recording, and removes the account's oldest recordings beyond `maxStored`. Throws a
   * `ServiceError` with code `conflict` if the ID exists.
   */
  saveRecording(account: Account, recording: Recording, maxStored: number): Promise<void>
  /** Newest first, without bodies. */
  listRecordings(account: Account, request: PageRequest): Promise<Page<Omit<Recording, 'body'>>>
  findRecording(account: Account, recordingId: string): Promise<Recording | undefined>
  /** Returns false if the recording doesn't exist. */
  removeRecording(account: Account, recordingId: string): Promise<boolean>

  /**
   * Publishes an example response, replacing the endpoint's previous one. Changes the catalogue
   * revision. Throws a `ServiceError` with code `not_found` if the endpoint is not in the
   * catalogue.
   */
  publishResponse(answer: PublishedResponse): Promise<void>
  /**
   * Returns undefined if the endpoint has none. Endpoints retain theirs across re-imports, even if
   * a description omits them for a time. Removing the API removes it.
   */
  findPublishedResponse(endpointId: number): Promise<PublishedResponse | undefined>
  /** Headers of the published responses by endpoint ID; endpoints without one are omitted. */
  findPublishedHeaders(
    endpointIds: readonly number[],
  ): Promise<ReadonlyMap<number, PublishedResponse['headers']>>
  /** Returns false if the endpoint has none. Changes the catalogue revision. */
  removePublishedResponse(endpointId: number): Promise<boolean>
}

/** The sealed text of a credential, with its account. */
export interface SealedCredential extends Pick<Credential, 'id' | 'sealed'> {
  readonly accountId: string
}
