import type { CveRecord } from '../records.ts'

/** Something in a feed that cannot be read and was left out. */
export interface FeedProblem {
  /** The CVE id, where it could be told. */
  readonly id?: string | undefined
  /** What is wrong, without the feed's name. */
  readonly message: string
}

/** Some of what a feed holds, in its order. */
export interface FeedEvent {
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
  /** What is known of the feed so far. */
  readonly head: FeedHead
}

/** What an NVD feed or API page says of itself. */
export interface FeedHead {
  /** When it was made, in milliseconds since the epoch. */
  readonly madeAt?: number | undefined
  /** Records in all pages, or in the feed. */
  readonly totalResults?: number | undefined
  /** Records on this page. */
  readonly resultsPerPage?: number | undefined
  /** Position of the page's first record, from 0. */
  readonly startIndex?: number | undefined
}
