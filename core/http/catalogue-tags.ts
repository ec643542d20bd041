import { type Eventual, whenReady } from '../shared/eventual.ts'

/** The `ETag`s of answers that change only with the catalogue. */
export interface CatalogueTags {
  /** The present one: what a client's `If-None-Match` is compared with. */
  current(): Eventual<string>
  /**
   * One that was present within the last millisecond, for an answer that is read after this: it is
   * never newer than the answer, so at worst a client asks once in vain, and no change is missed.
   */
  recent(): Eventual<string>
  /** Makes `recent` ask the storage: for use after a change of our own. */
  forget(): void
}

/** Creates the tags over the catalogue's revision; `version` is that of the release. */
export function createCatalogueTags(
  version: string,
  readRevision: () => Eventual<string>,
): CatalogueTags {
  let known: Eventual<string> | undefined
  let knownAt = 0

  const current = () => whenReady(readRevision(), (revision) => `"${version}-c${revision}"`)
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
