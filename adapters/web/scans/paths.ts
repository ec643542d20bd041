import type { KeptScan } from '../../../core/index.ts'
import { CONSOLE } from '../page.ts'

export type ScanKind = KeptScan['kind']

/** Where scans are listed. */
export const SCANS_PATH = `${CONSOLE}/scans`

/** The page of a scan. */
export function toScanPath({ kind, id }: Pick<KeptScan, 'kind' | 'id'>): string {
  return `${SCANS_PATH}/${kind}s/${encodeURIComponent(id)}`
}

/** Which uses of a scan a page lists: what its links and forms carry on. */
export interface UseView {
  readonly show: Shown
  /** `none`: those of no API. */
  readonly apiId: number | 'none' | undefined
}

/** What can be listed, in the order of its links. */
export const SHOWN = ['new', 'unreviewed', 'refused', 'approved', 'all'] as const

export type Shown = (typeof SHOWN)[number]

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

/** An id of an API, or `none`; undefined for anything else. */
export function readApiId(text: string | null): number | 'none' | undefined {
  if (text === 'none') return 'none'
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}
