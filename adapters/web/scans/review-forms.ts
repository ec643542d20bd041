import { type Html, html } from '../../../core/shared/html.ts'
import type { StoredScan } from '../../../core/storage.ts'
import type { PageRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { formatNumber } from '../parts/text.ts'
import { formatUsageCount } from './group-labels.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { toGroupParameter, toViewQuery, type UsageView } from './usage-view.ts'

/** The invalid input of a review form, shown again with its error. */
export interface ReviewDraft {
  readonly status: number
  readonly error: Html | string
  readonly uses: readonly string[]
  readonly groups: readonly string[]
  readonly reason: string
}

/** The list above a review form. */
export interface ReviewedList {
  readonly scan: StoredScan
  /** Page that contains the list. */
  readonly list: 'groups' | 'endpoints'
  readonly view: UsageView
  readonly page: number
}

/** ID of the form for checkboxes and buttons of a list. */
export const REVIEW_FORM = 'review'

/** Renders the form below a list for decisions on the selected rows. */
export function renderReviewBar(
  { formToken }: PageRequest,
  options: ReviewedList & {
    readonly draft: ReviewDraft | undefined
    /** Hidden fields selected by "all rows of this page". */
    readonly listed: Html
  },
): Html {
  const { draft, listed, scan } = options
  const button = (value: string, text: string, name: string) =>
    html`<button name="approval" value="${value}"${name ? html` class="${name}"` : ''}>${text}</button>`
  return html`<form id="${REVIEW_FORM}" class="decide" method="post" action="${toScanPath(scan)}/review" aria-label="Decide on the selected rows">
<input type="hidden" name="form_token" value="${formToken}">${renderListFields(options)}${listed}
<label for="reason">Reason</label>
<input id="reason" name="reason" type="text" maxlength="2000" value="${draft?.reason ?? ''}" placeholder="Optional, for the selected rows"${draft ? html` aria-invalid="true"` : ''}>
${button('yes', 'Approve', '')}${button('no', 'Reject', 'danger')}${button('unreviewed', 'Reset', 'second')}</form>`
}

/** Checkboxes to select all rows of the page or of the whole list. */
export function renderSelectAll(options: {
  /** Number of rows on this page and in the whole list, and of usages in the list. */
  readonly onPage: number
  readonly rows: number
  readonly uses: number
  readonly kind: ScanKind
}): Html | string {
  const { onPage, rows, uses, kind } = options
  if (rows < 2) return ''
  const box = (value: string, text: unknown) =>
    html`<label class="tick"><input type="checkbox" form="${REVIEW_FORM}" name="every" value="${value}"> ${text}</label>`
  const isWhole = rows === onPage
  return html`<p class="row">${isWhole ? '' : box('page', `Select the ${formatNumber(onPage)} rows of this page`)}
${box('list', `Select all ${formatNumber(rows)} rows${rows === uses ? '' : ` (${formatUsageCount(kind, uses)})`}`)}</p>`
}

/** Renders the form for a decision on all listed usages of one group. */
export function renderGroupForm(
  { formToken }: PageRequest,
  options: ReviewedList & {
    readonly group: NonNullable<UsageView['group']>
    /** Name of the group. */
    readonly name: string
    /** Number of listed usages of the group. */
    readonly endpoints: number
    /** Unique on the page. */
    readonly id: string
    readonly canBeIgnored: boolean
  },
): Html {
  const { scan, group, name, endpoints, id, canBeIgnored } = options
  const what = endpoints === 1 ? '' : ` all ${formatNumber(endpoints)}`
  return postForm({
    action: `${toScanPath(scan)}/review`,
    formToken,
    content: html`${renderListFields(options)}<input type="hidden" name="group" value="${toGroupParameter(group)}">
<p class="row group-review"><label for="${id}">Reason<span class="unseen"> for ${name}</span></label>
<input id="${id}" name="reason" type="text" maxlength="2000">
<button name="approval" value="yes">Approve${what}</button>
<button name="approval" value="no" class="danger">Reject${what}</button>${canBeIgnored ? html`<button name="approval" value="ignore" class="second">Ignore</button>` : ''}</p>
${canBeIgnored ? html`<p class="soft">Not a third-party API? Enter a reason, then ignore the entry. It is stored as approved, with the reason “Ignored: …”.</p>` : ''}`,
  })
}

/** Renders the form for a decision on the whole scan, if it is not derived from other decisions. */
export function renderWholeForm(
  { formToken }: PageRequest,
  { scan, view }: { readonly scan: StoredScan; readonly view: UsageView },
): Html {
  return html`<details><summary>Review of the whole scan</summary>
<p>Derived from the decisions: rejected if any endpoint is rejected, approved if all are approved. You can also set it manually.</p>
${postForm({
  action: `${toScanPath(scan)}/review`,
  formToken,
  content: html`${renderListFields({ scan, list: 'groups', view, page: 1 })}<input type="hidden" name="whole" value="1">
${field({ name: 'review_status', label: 'Review', options: REVIEW_STATUSES, value: scan.reviewStatus, isRequired: true })}
${field({ name: 'is_approved', label: 'Decision', options: SCAN_APPROVALS, value: scan.isApproved, isRequired: true })}
<button class="second">Save</button>`,
})}</details>`
}

export const REVIEW_STATUSES = [
  { value: 'not_started', label: 'Not started' },
  { value: 'in_progress', label: 'In progress' },
  { value: 'complete', label: 'Complete' },
] as const

export const SCAN_APPROVALS = [
  { value: 'not_analyzed', label: 'Unreviewed' },
  { value: 'yes', label: 'Approved' },
  { value: 'no', label: 'Rejected' },
] as const

function renderListFields({ list, view, page }: ReviewedList): Html {
  const fields = [...toViewQuery(view)].map(([name, value]) => {
    // Checkboxes of groups are already called `group`.
    const sent = name === 'group' ? 'of_group' : name
    return html`<input type="hidden" name="${sent}" value="${value}">`
  })
  return html`<input type="hidden" name="list" value="${list}"><input type="hidden" name="page" value="${page}">${fields}`
}
