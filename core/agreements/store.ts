import type { Account } from '../shared/account.ts'
import type { DateRange, Page, PageRequest } from '../shared/pages.ts'
import type { Agreement, AgreementChange, NewAgreement } from './records.ts'

/** Agreements of APIs with their texts and their history; shared by all accounts, as the catalogue. */
export interface AgreementStore {
  /**
   * The agreements of an API: those of its description that were not entered as well (the same kind
   * and link), then those entered, each in their order.
   */
  listAgreements(apiId: number): Promise<readonly Agreement[]>

  /** The entered texts of an API's agreements by the digest of the text, at most 100 of 1 MiB. */
  listTexts(apiId: number): Promise<ReadonlyMap<string, string>>

  /**
   * In one transaction: puts these in the place of the API's entered agreements, keeps what changed
   * by it in the history, and raises the catalogue's generation (not when nothing changes).
   * Imported ones stay. False when there is no such API.
   */
  replaceEntered(apiId: number, entered: EnteredAgreements): Promise<boolean>

  /** The history of an API's agreements, newest first; what happened at once, in its order. */
  listChanges(apiId: number, request: PageRequest): Promise<Page<AgreementChange>>

  /**
   * The changes within the range of the given APIs, by API, newest first, at most `limit` of each.
   * APIs without any are left out.
   */
  findChanges(
    apiIds: readonly number[],
    filter: DateRange & { readonly limit: number },
  ): Promise<ReadonlyMap<number, readonly AgreementChange[]>>
}

/** What an account enters of one API. */
export interface EnteredAgreements {
  readonly agreements: readonly NewAgreement[]
  /** By the digest of the text; each that `agreements` names. */
  readonly texts: ReadonlyMap<string, string>
  /**
   * Entered ones of other kinds stay, in front of these; one without a text keeps that of the one
   * with its kind and link.
   */
  readonly keepsOtherKinds?: boolean | undefined
  readonly by: Account
  /** Milliseconds since the epoch. */
  readonly at: number
}
