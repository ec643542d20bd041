import type { KeptScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { toScanPath } from './paths.ts'
import { toViewQuery, type UseView } from './view.ts'

/** A review that was refused, to be sent again. */
export interface ReviewDraft {
  readonly status: number
  readonly error: string
  readonly uses: readonly string[]
  readonly apis: readonly string[]
  readonly reason: string
}

/** The list with what is done with the ticked ones. */
export function reviewForm(
  { formToken }: PageRequest,
  given: {
    readonly path: string
    readonly view: UseView
    readonly page: number
    readonly draft: ReviewDraft | undefined
    readonly list: Html
  },
): Html {
  const { path, view, page, draft, list } = given
  const button = (value: string, text: string, name: string) =>
    html`<button name="approval" value="${value}"${name ? html` class="${name}"` : ''}>${text}</button>`
  return postForm({
    action: `${path}/review`,
    formToken,
    content: html`${viewFields(view)}<input type="hidden" name="page" value="${page}">
${list}
<fieldset class="decide"><legend>Decide on the selected ones</legend>
${field({
  name: 'reason',
  label: 'Reason',
  value: draft?.reason,
  error: draft?.error,
  hint: 'Stands beside the decision, with your name and the time. Decisions hold for later scans too.',
  more: html`maxlength="2000"`,
})}
<div class="row">${button('yes', 'Approve', '')}${button('no', 'Refuse', 'danger')}${button('unreviewed', 'Take back', 'second')}</div></fieldset>`,
  })
}

/** What people say of the whole scan, where it does not follow from the decisions. */
export function wholeForm(
  { formToken }: PageRequest,
  { scan, view }: { readonly scan: KeptScan; readonly view: UseView },
): Html {
  return html`<details><summary>Review of the whole</summary>
<p>It follows from the decisions: refused once one is, approved when all are. It can be set by hand too.</p>
${postForm({
  action: `${toScanPath(scan)}/review`,
  formToken,
  content: html`${viewFields(view)}<input type="hidden" name="whole" value="1">
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

function viewFields(view: UseView): Html {
  return html`${[...toViewQuery(view)].map(([name, value]) => {
    // The boxes of whole APIs are called `api`.
    const sent = name === 'api' ? 'of_api' : name
    return html`<input type="hidden" name="${sent}" value="${value}">`
  })}`
}
