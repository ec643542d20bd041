import type { Account } from '../shared/account.ts'
import type { DateRange, Page, PageRequest } from '../shared/pages.ts'
import type { Agreement, AgreementChange, NewAgreement } from './records.ts'

/** Storage of agreements with texts and history; shared by all accounts, like the catalogue. */
export interface AgreementStore {
  /**
   * Lists the agreements of an API: imported ones that are not also entered (same kind and link),
   * then entered ones, each in their order.
   */
  listAgreements(apiId: number): Promise<readonly Agreement[]>

  /** Returns the entered texts of an API's agreements by digest, at most 100 of 1 MiB. */
  listTexts(apiId: number): Promise<ReadonlyMap<string, string>>

  /**
   * In one transaction, replaces the entered agreements of an API and adds the changes to the
   * history. Increments the catalogue's generation if anything changes. Imported agreements stay.
   * Returns false if the API doesn't exist.
   */
  replaceEntered(apiId: number, entered: EnteredAgreements): Promise<boolean>

  /** Lists the agreement history of an API, newest first; simultaneous changes in their order. */
  listChanges(apiId: number, request: PageRequest): Promise<Page<AgreementChange>>

  /**
   * Finds the changes of the APIs in the date range, newest first, at most `limit` per API. APIs
   * without changes are omitted.
   */
  findChanges(
    apiIds: readonly number[],
    filter: DateRange & { readonly limit: number },
  ): Promise<ReadonlyMap<number, readonly AgreementChange[]>>
}

/** Entered agreements of one API. */
export interface EnteredAgreements {
  readonly agreements: readonly NewAgreement[]
  /** By text digest; one for each digest in `agreements`. */
  readonly texts: ReadonlyMap<string, string>
  /**
   * Retain entered agreements of other kinds, listed first. An agreement without a text retains the
   * stored text of the same kind and link.
   */
  readonly retainsOtherKinds?: boolean | undefined
  readonly by: Account
  /** Milliseconds since the epoch. */
  readonly at: number
}
