import type { Match, MatchQuery } from '../matching/match.ts'
import { buildMatcher, type Matcher } from '../matching/matcher.ts'
import type { CatalogueStore } from './store.ts'

/** A matcher that follows the catalogue. */
export interface LiveMatcher {
  /** The best candidate by the catalogue's current generation; see `Matcher.match`. */
  match(query: MatchQuery): Promise<Match | undefined>
}

/**
 * Creates a matcher over a catalogue, built on first use and anew when the catalogue has changed,
 * by whichever process. Calls at the same time share one build.
 */
export function createLiveMatcher(
  store: Pick<CatalogueStore, 'generation' | 'listMatchTargets'>,
): LiveMatcher {
  let current: { readonly generation: number; readonly matcher: Promise<Matcher> } | undefined

  async function getMatcher(): Promise<Matcher> {
    const generation = await store.generation()
    if (current?.generation !== generation) {
      const matcher = buildMatcher(store.listMatchTargets())
      current = { generation, matcher }
      matcher.catch(() => {
        if (current?.matcher === matcher) current = undefined
      })
    }
    return current.matcher
  }

  return {
    async match(query) {
      return (await getMatcher()).match(query)
    },
  }
}
