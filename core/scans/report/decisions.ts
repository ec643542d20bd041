import { toEndpointUrl } from '../../matching/endpoint-url.ts'
import type { Approval } from '../records.ts'

/** What people decided on a URL that a project uses. */
export interface UsageDecision {
  readonly url: string
  /** Lower case; empty where none is known of the use; undefined for every method. */
  readonly method: string | undefined
  readonly approval: Approval
  readonly reason: string
}

/** What was decided on one use; `unreviewed` with an empty reason where nobody did. */
export type FindDecision = (use: {
  readonly url: string
  readonly method: string | undefined
  /** As the code has the URL: what was decided on that counts where nothing is on `url`. */
  readonly written?: string
}) => Decided

type Decided = Pick<UsageDecision, 'approval' | 'reason'>

/**
 * Joins decisions of several sources, as a stored review and a file; however URLs are spelled. In each, one on the very method
 * goes before one on every method; between sources a refusal counts, else an approval.
 *
 * @example
 * ```ts
 * import { joinDecisions } from 'api-discovery/scans'
 *
 * const url = 'https://api.example.com/v1/items'
 * const decide = joinDecisions([[{ url, method: 'get', approval: 'yes', reason: 'Contract' }]])
 * decide({ url, method: 'get' }) // { approval: 'yes', reason: 'Contract' }
 * decide({ url, method: 'delete' }) // { approval: 'unreviewed', reason: '' }
 * ```
 */
export function joinDecisions(sources: readonly Iterable<UsageDecision>[]): FindDecision {
  const maps = sources.map((decisions) => {
    const known = new Map<string, UsageDecision>()
    for (const one of decisions) {
      const key = toKey(toEndpointUrl(one.url), one.method)
      known.set(key, { ...one, ...toStrictest([one, known.get(key) ?? one]) })
    }
    return known
  })
  return ({ url, method, written = url }) => {
    const urls = [url, toEndpointUrl(written)]
    const found = maps.flatMap((known) => {
      const all = urls.flatMap(
        (one) => known.get(toKey(one, method ?? '')) ?? known.get(toKey(one, undefined)) ?? [],
      )
      return all.find(({ approval }) => approval !== 'unreviewed') ?? all[0] ?? []
    })
    const refused = found.find(({ approval }) => approval === 'no')
    const { approval, reason } =
      refused ?? found.find((one) => one.approval === 'yes') ?? found[0] ?? UNDECIDED
    return { approval, reason }
  }
}

/** Joins decisions on one endpoint: a rejection wins, and an approval needs all to approve. */
export function toStrictest(decisions: readonly Decided[]): Decided {
  const [strictest = UNDECIDED] = STRICTEST.flatMap(
    (value) => decisions.find(({ approval }) => approval === value) ?? [],
  )
  return { approval: strictest.approval, reason: strictest.reason }
}

const STRICTEST: readonly Approval[] = ['no', 'unreviewed', 'yes']

const UNDECIDED = { approval: 'unreviewed', reason: '' } as const

function toKey(url: string, method: string | undefined): string {
  return `${method ?? '*'} ${url}`
}
