import type { Match, MatchQuery } from '../matching/match.ts'
import { buildMatcher, type Matcher } from '../matching/matcher.ts'
import type { CatalogueStore } from './store.ts'

/** A matcher, and the generation of the catalogue that it knows. */
export interface CurrentMatcher {
  readonly generation: number
  readonly matcher: Matcher
}

/** A matcher that follows the catalogue. */
export interface LiveMatcher {
  /** For many queries by one generation, the newest at the call. */
  current(): Promise<CurrentMatcher>
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
  let known: CurrentMatcher | undefined
  let building: Promise<void> | undefined

  async function build(): Promise<void> {
    const generation = await store.generation()
    known = { generation, matcher: await buildMatcher(store.listMatchTargets()) }
  }

  async function current(): Promise<CurrentMatcher> {
    const generation = await store.generation()
    while (!known || known.generation < generation) {
      building ??= build().finally(() => {
        building = undefined
      })
      await building
    }
    return known
  }

  return {
    current,
    async match(query) {
      return (await current()).matcher.match(query)
    },
  }
}
