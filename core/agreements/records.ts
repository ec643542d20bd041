import type { AgreementLink } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'

/** Where an agreement comes from: the API's description, or somebody who entered it. */
export const AGREEMENT_SOURCES = ['imported', 'entered'] as const

export type AgreementSource = (typeof AGREEMENT_SOURCES)[number]

/** An agreement of an API with what is known of it. */
export interface Agreement extends AgreementLink {
  /** SPDX id of the licence that it is; empty when it is none, or none that is known. */
  readonly spdxId: string
  readonly source: AgreementSource
  /** Who entered it; undefined for imported ones. */
  readonly enteredBy: Account | undefined
  /** Milliseconds since the epoch; kept while its name, link or text change. */
  readonly firstSeenAt: number
  /** When its name, link, licence or text last changed; `firstSeenAt` when they never did. */
  readonly changedAt: number
  /** Its text, where one was entered; the text itself is asked for apart. */
  readonly text: AgreementTextFacts | undefined
}

/** What is kept beside a text. */
export interface AgreementTextFacts {
  /** Hex SHA-256 of the text as UTF-8. */
  readonly digest: string
  /** Bytes of UTF-8. */
  readonly size: number
  /** When it was read off its page, milliseconds since the epoch; undefined when nobody said. */
  readonly retrievedAt: number | undefined
}

/** An agreement before the storage gave it its dates. */
export type NewAgreement = Pick<Agreement, 'name' | 'link' | 'kind' | 'spdxId' | 'text'>

/** What happened to an agreement. */
export type AgreementChangeKind = 'added' | 'changed' | 'removed'

/** One entry of an API's history of agreements. */
export interface AgreementChange {
  readonly apiId: number
  readonly change: AgreementChangeKind
  readonly source: AgreementSource
  /** Who changed it by entering; undefined for imports. */
  readonly by: Account | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined for an added one. */
  readonly before: NewAgreement | undefined
  /** Undefined for a removed one. */
  readonly after: NewAgreement | undefined
}
