import { chain, type MaybePromise } from '../shared/maybe-promise.ts'

/** The `ETag`s of answers that change only with some data's revision. */
export interface RevisionTags {
  /** The present one: what a client's `If-None-Match` is compared with. */
  current(): MaybePromise<string>
  /**
   * One that was present within the last millisecond, for an answer that is read after this: it is
   * never newer than the answer, so at worst a client asks once in vain, and no change is missed.
   */
  recent(): MaybePromise<string>
  /** Makes `recent` ask the storage: for use after a change of our own. */
  forget(): void
}

/** Creates the tags over a revision; `prefix` tells release and data, as `0.1.0-c`. */
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
    forget() {
      known = undefined
    },
  }
}

const RECENT_MS = 1
