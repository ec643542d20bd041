import { fromOwnerKey } from '../../../core/scans/owners.ts'
import type { Html } from '../../../core/shared/html.ts'
import type { StoredScan } from '../../../core/storage.ts'
import type { ViewedRequest } from '../page.ts'
import { errorSummary } from '../parts/form.ts'
import { formatNumber, note } from '../parts/text.ts'
import { formatUsageCount, toGroupName } from './group-labels.ts'
import type { ReviewDraft } from './review-forms.ts'
import { parseGroupParameter } from './usage-view.ts'

const DECIDED: Readonly<Record<string, string>> = {
  yes: 'Approved',
  no: 'Rejected',
  unreviewed: 'Reset to unreviewed',
}

const DONE: Readonly<Record<string, string>> = {
  whole: 'Review saved.',
  matched: 'Scan matched to the current catalogue.',
  submitted: 'Scan stored.',
}

/** Confirms the result of a form, as described by the query. */
export async function renderDoneNote(
  request: ViewedRequest,
  { scan, query }: { readonly scan: StoredScan; readonly query: URLSearchParams },
): Promise<Html | string> {
  const done = query.get('done') ?? ''
  const verb = Object.hasOwn(DECIDED, done) ? DECIDED[done] : undefined
  if (verb) return note(`${verb}${await describeUsages(request, { scan, query })}.`, 'good')
  if (done === 'vendor' || done === 'no-vendor') return renderVendorNote(request, { scan, query })
  const words = Object.hasOwn(DONE, done) ? DONE[done] : undefined
  return words === undefined ? '' : note(words, 'good')
}

/** Explains why a review is invalid; shown above everything else. */
export function renderReviewError(draft: ReviewDraft | undefined): Html | string {
  return draft ? errorSummary([{ message: draft.error }]) : ''
}

/**
 * Describes the affected usages, for example `: 2 endpoints of Plaid`; empty if the query is
 * invalid.
 */
async function describeUsages(
  request: ViewedRequest,
  { scan, query }: { readonly scan: StoredScan; readonly query: URLSearchParams },
): Promise<string> {
  const n = query.get('n') ?? ''
  const of = query.get('of') ?? ''
  if (!/^[0-9]{1,7}$/.test(n)) return ''
  const objects = formatUsageCount(scan.kind, Number(n))
  const groups = query.get('groups') ?? ''
  const name = await findName(request, { scan, of })
  if (name !== undefined) return `: ${objects} of ${name}`
  return /^[1-9][0-9]{0,6}$/.test(groups)
    ? `: ${objects} of ${formatNumber(Number(groups))} APIs, vendors and domains`
    : `: ${objects}`
}

async function findName(
  { app, viewer }: ViewedRequest,
  { scan, of }: { readonly scan: StoredScan; readonly of: string },
): Promise<string | undefined> {
  const group = parseGroupParameter(of)
  const found = group && (await app.scans.findUsageGroup(viewer.caller.account, { scan, group }))
  if (!found) return undefined
  const apis = await app.scans.readUsedApis(found.apiId === undefined ? [] : [found.apiId])
  return toGroupName(found.belongsTo, found.apiId === undefined ? undefined : apis.get(found.apiId))
}

async function renderVendorNote(
  request: ViewedRequest,
  { scan, query }: { readonly scan: StoredScan; readonly query: URLSearchParams },
): Promise<Html | string> {
  const name = await findName(request, { scan, of: query.get('of') ?? '' })
  if (name !== undefined) return note(`${name} is now the vendor of these hosts.`, 'good')
  const owner = fromOwnerKey(query.get('of') ?? '')
  return owner.kind === 'vendor'
    ? note(
        'The vendor is in the catalogue, but its hosts are not listed under its name: many owners share their domain.',
        'warn',
      )
    : ''
}
