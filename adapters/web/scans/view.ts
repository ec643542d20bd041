import type { GroupView, UseCounts, UseFilter, UseGroupKey } from '../../../core/index.ts'

/** Which usages of a scan a page lists; its links and forms keep it. */
export interface UseView {
  readonly show: GroupView
  /** Only those of one API, vendor or domain. */
  readonly group: UseGroupKey | undefined
}

/** What can be listed, in the order of the links. */
export const SHOWN = ['all', 'new', 'unreviewed', 'refused', 'approved'] as const

const FILTERS: Readonly<Record<GroupView, UseFilter>> = {
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

/** Reads a view; unknown values show all. */
export function readView(query: { get(name: string): string | null }): UseView {
  const show = SHOWN.find((each) => each === query.get('show')) ?? 'all'
  return { show, group: parseGroup(query.get('group') ?? '') }
}

/** The query of a view, without a page. */
export function toViewQuery({ show, group }: UseView): URLSearchParams {
  const query = new URLSearchParams()
  if (show !== 'all') query.set('show', show)
  if (group !== undefined) query.set('group', toGroupText(group))
  return query
}

/** The filter that selects the usages of a view. */
export function toFilter({ show, group }: UseView): UseFilter {
  if (!group) return FILTERS[show]
  const { apiId, owner } = group
  return { ...FILTERS[show], ...(apiId === undefined ? { apiId: 'none', owner } : { apiId }) }
}

/** How many usages a view lists. */
export function toFigure(counts: UseCounts, show: GroupView): number {
  return counts[FIGURES[show]]
}

/** A group as forms and addresses name it: `0` and the id of an API, else its owner. */
export function toGroupText({ apiId, owner }: UseGroupKey): string {
  return apiId === undefined ? owner || NO_OWNER : `0${apiId}`
}

/** Reverses `toGroupText`; undefined for anything else. */
export function parseGroup(text: string): UseGroupKey | undefined {
  if (/^0[0-9]{1,15}$/.test(text)) return { apiId: Number(text.slice(1)), owner: '' }
  if (text === NO_OWNER) return { apiId: undefined, owner: '' }
  return /^(0 |[1-4])/.test(text) ? { apiId: undefined, owner: text } : undefined
}

const NO_OWNER = '9'
