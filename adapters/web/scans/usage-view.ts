import type { GroupView, UsageCounts, UsageFilter, UsageGroupKey } from '../../../core/storage.ts'

/** Selects the usages on a page; preserved by its links and forms. */
export interface UsageView {
  readonly show: GroupView
  /** Restricts to one API, vendor or domain. */
  readonly group: UsageGroupKey | undefined
}

/** Views in the order of their links. */
export const VIEWS = ['all', 'new', 'unreviewed', 'rejected', 'approved'] as const

const FILTERS: Readonly<Record<GroupView, UsageFilter>> = {
  new: { approval: 'unreviewed', isNew: true },
  unreviewed: { approval: 'unreviewed' },
  rejected: { approval: 'no' },
  approved: { approval: 'yes' },
  all: {},
}

const COUNT_NAMES = {
  new: 'newUnreviewed',
  unreviewed: 'unreviewed',
  rejected: 'rejected',
  approved: 'approved',
  all: 'usages',
} as const

/** Reads a view; unknown values show all. */
export function readView(query: { get(name: string): string | null }): UsageView {
  const show = VIEWS.find((each) => each === query.get('show')) ?? 'all'
  return { show, group: parseGroupParameter(query.get('group') ?? '') }
}

/** Returns the query of a view, without a page. */
export function toViewQuery({ show, group }: UsageView): URLSearchParams {
  const query = new URLSearchParams()
  if (show !== 'all') query.set('show', show)
  if (group !== undefined) query.set('group', toGroupParameter(group))
  return query
}

/** Returns the filter that selects the usages shown in a view. */
export function toUsageFilter({ show, group }: UsageView): UsageFilter {
  if (!group) return FILTERS[show]
  const { apiId, owner } = group
  return { ...FILTERS[show], ...(apiId === undefined ? { apiId: 'none', owner } : { apiId }) }
}

/** Returns the number of usages in a view. */
export function getViewCount(counts: UsageCounts, show: GroupView): number {
  return counts[COUNT_NAMES[show]]
}

/** Returns the key of a group in forms and URLs: `0` and the ID of an API, or its owner. */
export function toGroupParameter({ apiId, owner }: UsageGroupKey): string {
  return apiId === undefined ? owner || NO_OWNER : `0${apiId}`
}

/** Reverses `toGroupParameter`; undefined for anything else. */
export function parseGroupParameter(text: string): UsageGroupKey | undefined {
  if (/^0[0-9]{1,15}$/.test(text)) return { apiId: Number(text.slice(1)), owner: '' }
  if (text === NO_OWNER) return { apiId: undefined, owner: '' }
  return /^(0 |[1-4])/.test(text) ? { apiId: undefined, owner: text } : undefined
}

const NO_OWNER = '9'
