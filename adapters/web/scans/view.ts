import type { UseCounts, UseFilter } from '../../../core/index.ts'

/** Which uses of a scan a page lists: what its links and forms carry on. */
export interface UseView {
  readonly show: Shown
  /** `none`: those of no API. */
  readonly apiId: number | 'none' | undefined
}

/** What can be listed, in the order of its links. */
export const SHOWN = ['new', 'unreviewed', 'refused', 'approved', 'all'] as const

export type Shown = (typeof SHOWN)[number]

const FILTERS: Readonly<Record<Shown, UseFilter>> = {
  new: { approval: 'unreviewed', isNew: true },
  unreviewed: { approval: 'unreviewed' },
  refused: { approval: 'no' },
  approved: { approval: 'yes' },
  all: {},
}

const FIGURES = {
  new: 'newUnreviewed',
  unreviewed: 'unreviewed',
  refused: 'refused',
  approved: 'approved',
  all: 'uses',
} as const

/** Reads a view; what is none shows all. */
export function readView(query: { get(name: string): string | null }): UseView {
  const show = SHOWN.find((each) => each === query.get('show')) ?? 'all'
  return { show, apiId: readApiId(query.get('api')) }
}

/** The query of a view, without a page. */
export function toViewQuery({ show, apiId }: UseView): URLSearchParams {
  const query = new URLSearchParams()
  if (show !== 'all') query.set('show', show)
  if (apiId !== undefined) query.set('api', String(apiId))
  return query
}

/** What a view lists. */
export function toFilter({ show, apiId }: UseView): UseFilter {
  return { ...FILTERS[show], apiId }
}

/** How many uses a view lists, of those that are counted. */
export function toFigure(counts: UseCounts, show: Shown): number {
  return counts[FIGURES[show]]
}

/** An id of an API, or `none`; undefined for anything else. */
export function readApiId(text: string | null): number | 'none' | undefined {
  if (text === 'none') return 'none'
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}
