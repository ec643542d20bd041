import type { CveRecord } from '../records.ts'

/** An unreadable item of a feed, which was skipped. */
export interface FeedProblem {
  /** The CVE ID, if recognised. */
  readonly id?: string | undefined
  /** The reason, without the feed's name. */
  readonly message: string
}

/** A batch of a feed, in feed order. */
export interface FeedEvent {
  readonly records: readonly CveRecord[]
  readonly problems: readonly FeedProblem[]
  /** The metadata read so far. */
  readonly head: FeedHead
}

/** Metadata of an NVD feed or API page. */
export interface FeedHead {
  /** When it was created, in milliseconds since the epoch. */
  readonly madeAt?: number | undefined
  /** Number of records on all pages, or in the feed. */
  readonly totalResults?: number | undefined
  /** Number of records on this page. */
  readonly resultsPerPage?: number | undefined
  /** Position of the page's first record, from 0. */
  readonly startIndex?: number | undefined
}
