import { chain, type MaybePromise } from '../shared/maybe-promise.ts'

/** The `ETag`s of responses that change only with a data revision. */
export interface RevisionTags {
  /** The current tag, for comparison with a client's `If-None-Match`. */
  current(): MaybePromise<string>
  /**
   * A tag that was current within the last millisecond, for a response that is read afterwards. It
   * is never newer than the response: at worst a client repeats a request, and no change is missed.
   */
  recent(): MaybePromise<string>
  /** Makes `recent` query the storage again. Call it after a change by this process. */
  invalidate(): void
}

/** Creates the tags for a revision; `prefix` names release and data, as in `0.1.0-c`. */
export function createRevisionTags(
  prefix: string,
  readRevision: () => MaybePromise<string>,
): RevisionTags {
  let known: MaybePromise<string> | undefined
  let knownAt = 0

  const current = () => chain(readRevision(), (revision) => `"${prefix}${revision}"`)
  return {
    current,
    recent() {
      const now = performance.now()
      if (known === undefined || now - knownAt >= RECENT_MS) {
        known = current()
        knownAt = now
      }
      return known
    },
    invalidate() {
      known = undefined
    },
  }
}

const RECENT_MS = 1
