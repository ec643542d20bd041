import type { Approval } from '../../records.ts'

/** What people decided on a URL that a project uses. */
export interface UseDecision {
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
}) => Pick<UseDecision, 'approval' | 'reason'>

/**
 * Joins decisions of several sources, as a stored review and a file. In each, one on the very method
 * goes before one on every method; between sources a refusal counts, else an approval.
 */
export function joinDecisions(sources: readonly Iterable<UseDecision>[]): FindDecision {
  const maps = sources.map((decisions) => {
    const known = new Map<string, UseDecision>()
    for (const one of decisions) known.set(toKey(one.url, one.method), one)
    return known
  })
  return ({ url, method }) => {
    const found = maps.flatMap((known) => {
      const one = known.get(toKey(url, method ?? '')) ?? known.get(toKey(url, undefined))
      return one ? [one] : []
    })
    const refused = found.find(({ approval }) => approval === 'no')
    const { approval, reason } =
      refused ?? found.find((one) => one.approval === 'yes') ?? found[0] ?? UNDECIDED
    return { approval, reason }
  }
}

const UNDECIDED = { approval: 'unreviewed', reason: '' } as const

function toKey(url: string, method: string | undefined): string {
  return `${method ?? '*'} ${url}`
}
