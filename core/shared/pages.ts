/** One page of a list whose total is known exactly. */
export interface Page<T> {
  readonly items: readonly T[]
  /** All matches, not only those on this page. */
  readonly total: number
}

/** The requested page. */
export interface PageRequest {
  /** Items per page, 1 to 100. */
  readonly size: number
  /** Starts at 1. */
  readonly page: number
}

/** Range of UTC days, `YYYY-MM-DD`, including both ends. */
export interface DateRange {
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}

/** Builds the envelope fields that the specification's paged responses share (2.2, 2.13). */
export function toPageEnvelope(total: number, request: PageRequest) {
  return {
    num_results: total,
    num_pages: Math.ceil(total / request.size),
    current_page: request.page,
    page_size: request.size,
  }
}
