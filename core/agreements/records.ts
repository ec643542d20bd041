import type { AgreementLink } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'

/** Source of an agreement: the API's description, or an account that entered it. */
export const AGREEMENT_SOURCES = ['imported', 'entered'] as const

export type AgreementSource = (typeof AGREEMENT_SOURCES)[number]

/** An agreement of an API with its metadata. */
export interface Agreement extends AgreementLink {
  /** SPDX ID of a licence; empty for other agreements and unknown licences. */
  readonly spdxId: string
  readonly source: AgreementSource
  /** Account that entered it; undefined for imported ones. */
  readonly enteredBy: Account | undefined
  /** Milliseconds since the epoch. Unchanged when name, link or text change. */
  readonly firstSeenAt: number
  /** Time of the last change of name, link, licence or text; `firstSeenAt` if there was none. */
  readonly changedAt: number
  /** Metadata of an entered text; the text itself is loaded separately. */
  readonly text: AgreementTextFacts | undefined
}

/** Metadata of a text. */
export interface AgreementTextFacts {
  /** Hex SHA-256 of the text in UTF-8. */
  readonly digest: string
  /** Size in bytes (UTF-8). */
  readonly size: number
  /**
   * When the text was retrieved from its page, milliseconds since the epoch; undefined if unknown.
   */
  readonly retrievedAt: number | undefined
}

/** An agreement to be stored; the storage adds the dates. */
export type NewAgreement = Pick<Agreement, 'name' | 'link' | 'kind' | 'spdxId' | 'text'>

/** Type of a change. */
export type AgreementChangeKind = 'added' | 'changed' | 'removed'

/** An entry in the agreement history of an API. */
export interface AgreementChange {
  readonly apiId: number
  readonly change: AgreementChangeKind
  readonly source: AgreementSource
  /** Account that made the change; undefined for imports. */
  readonly by: Account | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined for an added agreement. */
  readonly before: NewAgreement | undefined
  /** Undefined for a removed agreement. */
  readonly after: NewAgreement | undefined
}
