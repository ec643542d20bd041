import type { Match, MatchQuery } from '../matching/match.ts'
import { buildMatcher, type Matcher } from '../matching/matcher.ts'
import type { CatalogueStore } from './store.ts'

/** A matcher with the catalogue generation that it was built from. */
export interface CurrentMatcher {
  readonly generation: number
  readonly matcher: Matcher
}

/** A matcher that is rebuilt after changes of the catalogue. */
export interface LiveMatcher {
  /** The matcher of the newest generation, to run many queries against the same data. */
  current(): Promise<CurrentMatcher>
  /** The best candidate in the current generation; see `Matcher.match`. */
  match(query: MatchQuery): Promise<Match | undefined>
}

/**
 * Creates a matcher over a catalogue. Builds it on first use and rebuilds it after a change of the
 * catalogue by any process. Only one build runs at a time; a call waits for a build of at least the
 * generation that is current at the call.
 */
export function createLiveMatcher(
  store: Pick<CatalogueStore, 'generation' | 'listMatchTargets'>,
): LiveMatcher {
  let known: CurrentMatcher | undefined
  let building: Promise<void> | undefined

  async function buildCurrent(): Promise<void> {
    const generation = await store.generation()
    known = { generation, matcher: await buildMatcher(store.listMatchTargets()) }
  }

  async function current(): Promise<CurrentMatcher> {
    const generation = await store.generation()
    while (!known || known.generation < generation) {
      building ??= buildCurrent().finally(() => {
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
