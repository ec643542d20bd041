import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { CallRecord, Credential, KeyPolicy, PublishedAnswer, Recording } from './records.ts'

/**
 * What the gateway keeps: credentials, policies, budgets, the audit and recordings, by account.
 * Credentials and recordings of an API are removed with it (`CatalogueStore.removeApi`); those of its
 * vendor and the audit stay.
 */
export interface GatewayStore {
  /**
   * Adds a credential, or puts it in the place of the one that the account has for the same API or
   * vendor, kind and name (case folded), whose id it must have and whose time of creation stays: ask
   * `findCredentialId` first. Throws a `ServiceError` with code `conflict` where that one has
   * another id, as `sealed` opens under its own id alone; with `invalid_input` for a name of more
   * than `MAX_NAME` characters.
   */
  saveCredential(account: Account, credential: Credential): Promise<void>
  /** The id that `saveCredential` must be given; undefined when there is no such credential yet. */
  findCredentialId(
    account: Account,
    place: Pick<Credential, 'apiId' | 'vendorId' | 'kind' | 'name'>,
  ): Promise<string | undefined>
  /** In order of creation. */
  listCredentials(account: Account): Promise<readonly Credential[]>
  /** Those of the API first, then those of its vendor, each in order of creation. A hot read. */
  findCredentials(
    account: Account,
    target: { readonly apiId: number; readonly vendorId: number },
  ): MaybePromise<readonly Credential[]>
  /** What every account has sealed, in order of creation: for sealing it anew under another secret. */
  listSealed(): Promise<readonly SealedCredential[]>
  /** False when the account has no such credential, or one that is not sealed as `from` any more. */
  changeSealed(
    account: Pick<Account, 'id'>,
    credentialId: string,
    change: { readonly from: string; readonly to: string },
  ): Promise<boolean>
  /** False when the account has no such credential. */
  removeCredential(account: Account, credentialId: string): Promise<boolean>

  savePolicy(account: Account, policy: KeyPolicy): Promise<void>
  /** A hot read. */
  findPolicy(account: Account, keyId: string): MaybePromise<KeyPolicy | undefined>
  /** In order of key id. */
  listPolicies(account: Account): Promise<readonly KeyPolicy[]>
  /** False when the key has none. */
  removePolicy(account: Account, keyId: string): Promise<boolean>

  /**
   * Takes at most `wanted` calls out of what a key has left of `budget` on a day (`YYYY-MM-DD`,
   * UTC), in one step; returns how many it got. Never more than `budget` in all, whatever goes on at
   * the same time in however many processes.
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
  /** How many calls of a day are taken. */
  countTakenCalls(
    account: Account,
    request: { readonly keyId: string; readonly day: string },
  ): Promise<number>
  /** Gives back calls that were taken and not made. */
  returnCalls(
    account: Account,
    request: { readonly keyId: string; readonly day: string; readonly count: number },
  ): Promise<void>

  /** Appends to the audit, all in one transaction. */
  saveCalls(calls: readonly (CallRecord & { readonly account: Account })[]): Promise<void>
  /** Newest first. */
  listCalls(account: Account, request: PageRequest): Promise<Page<CallRecord>>
  /**
   * How many of the account's calls of an endpoint were answered by the target, by status; those
   * that failed, or were not sent at all, are no answers.
   */
  countAnswers(account: Account, endpointId: number): Promise<ReadonlyMap<number, number>>
  /** Removes calls that began before `before`, and budgets of days before it, at most `limit` rows. */
  sweepCalls(request: { readonly before: number; readonly limit: number }): Promise<number>

  /**
   * Removes the oldest of the account's recordings where there are more than `keep` then. Throws a
   * `ServiceError` with code `conflict` when the account has one of that id.
   */
  saveRecording(account: Account, recording: Recording, keep: number): Promise<void>
  /** Newest first, without bodies. */
  listRecordings(account: Account, request: PageRequest): Promise<Page<Omit<Recording, 'body'>>>
  findRecording(account: Account, recordingId: string): Promise<Recording | undefined>
  /** False when the account has no such recording. */
  removeRecording(account: Account, recordingId: string): Promise<boolean>

  /**
   * In the place of the endpoint's former one. It changes the revision of the catalogue. Throws a
   * `ServiceError` with code `not_found` when the endpoint is not in the catalogue.
   */
  publishAnswer(answer: PublishedAnswer): Promise<void>
  /**
   * Undefined when there is none. Endpoints keep theirs when they are imported anew, also after
   * they were missing from a description; they lose them when their API is removed.
   */
  findPublishedAnswer(endpointId: number): Promise<PublishedAnswer | undefined>
  /** Headers of the published answers of several endpoints; those without one are left out. */
  findPublishedHeaders(
    endpointIds: readonly number[],
  ): Promise<ReadonlyMap<number, PublishedAnswer['headers']>>
  /** False when the endpoint has none. It changes the revision of the catalogue. */
  removePublishedAnswer(endpointId: number): Promise<boolean>
}

/** A credential's sealed text, and what it belongs to. */
export interface SealedCredential extends Pick<Credential, 'id' | 'sealed'> {
  readonly accountId: string
}
