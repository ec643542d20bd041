import type { KeptScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { count } from '../parts/text.ts'
import { usesOf } from './group-words.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { toGroupText, toViewQuery, type UseView } from './view.ts'

/** A review that was refused, to be sent again. */
export interface ReviewDraft {
  readonly status: number
  readonly error: Html | string
  readonly uses: readonly string[]
  readonly groups: readonly string[]
  readonly reason: string
}

/** The list that a review form stands below. */
export interface ReviewedList {
  readonly scan: KeptScan
  /** Which of the two pages it is. */
  readonly list: 'groups' | 'endpoints'
  readonly view: UseView
  readonly page: number
}

/** Id of the form that boxes and buttons of a list belong to. */
export const REVIEW_FORM = 'review'

/** The bar below a list with what is decided on the selected rows. */
export function reviewBar(
  { formToken }: PageRequest,
  given: ReviewedList & {
    readonly draft: ReviewDraft | undefined
    /** What "all of this page" selects: hidden fields. */
    readonly listed: Html
  },
): Html {
  const { draft, listed, scan } = given
  const button = (value: string, text: string, name: string) =>
    html`<button name="approval" value="${value}"${name ? html` class="${name}"` : ''}>${text}</button>`
  return html`<form id="${REVIEW_FORM}" class="decide" method="post" action="${toScanPath(scan)}/review" aria-label="Decide on the selected rows">
<input type="hidden" name="form_token" value="${formToken}">${listFields(given)}${listed}
<label for="reason">Reason</label>
<input id="reason" name="reason" type="text" maxlength="2000" value="${draft?.reason ?? ''}" placeholder="for the selected rows, optional"${draft ? html` aria-invalid="true"` : ''}>
${button('yes', 'Approve', '')}${button('no', 'Refuse', 'danger')}${button('unreviewed', 'Reset', 'second')}</form>`
}

/** Boxes that select everything on the page, or in the whole list. */
export function selectAll(given: {
  /** Rows on this page, and in the whole list with the number of usages in them. */
  readonly onPage: number
  readonly rows: number
  readonly uses: number
  readonly kind: ScanKind
}): Html | string {
  const { onPage, rows, uses, kind } = given
  if (rows < 2) return ''
  const box = (value: string, text: unknown) =>
    html`<label class="tick"><input type="checkbox" form="${REVIEW_FORM}" name="every" value="${value}"> ${text}</label>`
  const isWhole = rows === onPage
  return html`<p class="row">${isWhole ? '' : box('page', `Select the ${count(onPage)} rows of this page`)}
${box('list', `Select all ${count(rows)} rows${rows === uses ? '' : ` (${usesOf(kind, uses)})`}`)}</p>`
}

/** A form that decides on all listed usages of one group. */
export function groupForm(
  { formToken }: PageRequest,
  given: ReviewedList & {
    readonly group: NonNullable<UseView['group']>
    /** Of the group. */
    readonly name: string
    /** How many are listed of it. */
    readonly endpoints: number
    /** Distinct on the page. */
    readonly id: string
    readonly canBeIgnored: boolean
  },
): Html {
  const { scan, group, name, endpoints, id, canBeIgnored } = given
  const what = endpoints === 1 ? '' : ` all ${count(endpoints)}`
  return postForm({
    action: `${toScanPath(scan)}/review`,
    formToken,
    content: html`${listFields(given)}<input type="hidden" name="group" value="${toGroupText(group)}">
<p class="row group-review"><label for="${id}">Reason<span class="unseen"> for ${name}</span></label>
<input id="${id}" name="reason" type="text" maxlength="2000">
<button name="approval" value="yes">Approve${what}</button>
<button name="approval" value="no" class="danger">Refuse${what}</button>${canBeIgnored ? html`<button name="approval" value="ignore" class="second">Ignore</button>` : ''}</p>
${canBeIgnored ? html`<p class="soft">Not a third-party API? Give the reason and ignore it: reviews have no state for that, so it is stored as approved with the reason “Ignored: …”.</p>` : ''}`,
  })
}

/** What people decide on the whole scan, where it does not follow from the decisions. */
export function wholeForm(
  { formToken }: PageRequest,
  { scan, view }: { readonly scan: KeptScan; readonly view: UseView },
): Html {
  return html`<details><summary>Review of the whole scan</summary>
<p>It follows from the decisions: refused if one endpoint is, approved if all are. You can also set it by hand.</p>
${postForm({
  action: `${toScanPath(scan)}/review`,
  formToken,
  content: html`${listFields({ scan, list: 'groups', view, page: 1 })}<input type="hidden" name="whole" value="1">
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
  { value: 'not_analyzed', label: 'Undecided' },
  { value: 'yes', label: 'Approved' },
  { value: 'no', label: 'Refused' },
] as const

function listFields({ list, view, page }: ReviewedList): Html {
  const fields = [...toViewQuery(view)].map(([name, value]) => {
    // Boxes of groups are called `group`.
    const sent = name === 'group' ? 'of_group' : name
    return html`<input type="hidden" name="${sent}" value="${value}">`
  })
  return html`<input type="hidden" name="list" value="${list}"><input type="hidden" name="page" value="${page}">${fields}`
}
