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
 * by whichever process. There is one build at a time: calls wait for one that began after the
 * change they have to know of.
 */
export function createLiveMatcher(
  store: Pick<CatalogueStore, 'generation' | 'listMatchTargets'>,
): LiveMatcher {
  let current: { readonly generation: number; readonly matcher: Matcher } | undefined
  let building: Promise<void> | undefined

  async function build(): Promise<void> {
    const generation = await store.generation()
    current = { generation, matcher: await buildMatcher(store.listMatchTargets()) }
  }

  async function getMatcher(): Promise<Matcher> {
    const generation = await store.generation()
    while (!current || current.generation < generation) {
      building ??= build().finally(() => {
        building = undefined
      })
      await building
    }
    return current.matcher
  }

  return {
    async match(query) {
      return (await getMatcher()).match(query)
    },
  }
}
