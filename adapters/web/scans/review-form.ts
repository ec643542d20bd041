import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import type { ShownUsage } from '../../../core/scans/index.ts'
import type { StoredScan } from '../../../core/storage.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { renderEndpointsPage } from './endpoints-page.ts'
import { renderGroupsPage } from './groups-page.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { REVIEW_STATUSES, SCAN_APPROVALS } from './review-forms.ts'
import {
  parseGroupParameter,
  readView,
  toGroupParameter,
  toUsageFilter,
  toViewQuery,
  type UsageView,
} from './usage-view.ts'

/** Stores a decision on the selected usages, or on the whole scan. */
export async function handleReview(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const { app, form, params, viewer } = request
  const fields: Readonly<Record<string, string>> = { group: 'of_group' }
  const view = readView({ get: (name) => form.text(fields[name] ?? name) || null })
  const query = toViewQuery(view)
  if (/^[0-9]{1,6}$/.test(form.text('page'))) query.set('page', form.text('page'))
  const isFlat = form.text('list') === 'endpoints'
  const { scan } = await app.scans.getCounted(viewer.caller.account, {
    kind,
    id: params.id ?? '',
  })
  const to = (done: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(done)) query.set(name, value)
    const path = `${toScanPath(scan)}${isFlat ? '/endpoints' : ''}`
    return { kind: 'redirect', to: `${path}?${query}` } as const
  }
  try {
    if (form.text('whole') === '1') {
      await sendReview(request, {
        scan,
        body: readWholeReview(form.text('review_status'), form.text('is_approved')),
      })
      return to({ done: 'whole' })
    }
    const { approval, reason } = readDecision(form.text('approval'), form.text('reason').trim())
    const uses = await readSelectedUsages(request, { scan, view })
    for (let start = 0; start < uses.length; start += PER_REVIEW) {
      const endpoints = uses
        .slice(start, start + PER_REVIEW)
        .map((use) => ({ ...toSubject(scan, use), approval, reason }))
      await sendReview(request, { scan, body: { endpoints } })
    }
    return to({ done: approval, ...toDoneQuery(uses) })
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEM_TYPES[error.code].status >= 500) throw error
    const draft = {
      status: PROBLEM_TYPES[error.code].status,
      error: error.issues[0]?.message ?? error.message,
      uses: form.all('use'),
      groups: form.all('group'),
      reason: form.text('reason'),
    }
    return (isFlat ? renderEndpointsPage : renderGroupsPage)(request, { kind, query, draft })
  }
}

/** Maximum number of decisions in one request. */
const PER_REVIEW = 1000
/** Maximum number of usages per form. */
const MAX_USAGES = 20_000

/**
 * Returns the query that describes the decision for `renderDoneNote`: number of usages, and their
 * group.
 */
function toDoneQuery(uses: readonly ShownUsage[]): Readonly<Record<string, string>> {
  const groups = new Set(uses.map(toGroupParameter))
  const [only = ''] = groups
  return {
    n: String(uses.length),
    ...(groups.size === 1 ? { of: only } : { groups: String(groups.size) }),
  }
}

type Review = Pick<
  Parameters<typeof sendProject>[1]['body'],
  'review_status' | 'is_approved' | 'endpoints'
>

async function sendReview(
  request: ViewedRequest,
  { scan, body }: { readonly scan: StoredScan; readonly body: Review },
): Promise<void> {
  if (scan.kind === 'project')
    await sendProject(request, { body: { project_id: scan.id, ...body } })
  else await request.call('reviewNetworkScan', { body: { instance_id: scan.id, ...body } })
}

function sendProject(
  request: ViewedRequest,
  input: Parameters<typeof request.call<'reviewProjectScan'>>[1],
) {
  return request.call('reviewProjectScan', input)
}

/** A review of a host in a network covers all its traffic, regardless of the method. */
function toSubject({ kind }: StoredScan, { subject, method }: ShownUsage) {
  const isHost = /^(?:https?:\/\/)?[^/?#@\s]+\/?$/i.test(subject)
  return kind === 'network' && isHost
    ? { endpoint_url: subject }
    : { endpoint_url: subject, endpoint_method: method }
}

/** Reads the selected usages. Selected groups and lists include only usages of the current view. */
async function readSelectedUsages(
  { app, form, viewer, command }: ViewedRequest,
  { scan, view }: { readonly scan: StoredScan; readonly view: UsageView },
): Promise<readonly ShownUsage[]> {
  const { account } = viewer.caller
  const every = form.text('every')
  const toPlaces = (texts: readonly string[]) =>
    texts.filter((text) => /^[0-9]{1,15}$/.test(text)).map(Number)
  const places = toPlaces([...form.all('use'), ...(every === 'page' ? form.all('listed_use') : [])])
  const groups = [...form.all('group'), ...(every === 'page' ? form.all('listed_group') : [])]
  const uses = new Map<number, ShownUsage>()
  const add = (found: readonly ShownUsage[]) => {
    for (const use of found) uses.set(use.place, use)
    if (uses.size > MAX_USAGES) {
      throw createInvalidReviewError(
        `Cannot decide on more than ${MAX_USAGES} endpoints at once: select fewer, or run ${command} scans review`,
      )
    }
  }
  const list = (of: UsageView) =>
    app.scans.listUsages(account, {
      scan,
      filter: toUsageFilter(of),
      offset: 0,
      limit: MAX_USAGES + 1,
    })
  add(await app.scans.findUsages(account, { scan, places }))
  for (const text of new Set(groups)) {
    const group = parseGroupParameter(text)
    if (group) add(await list({ ...view, group }))
  }
  if (every === 'list') add(await list(view))
  if (uses.size === 0)
    throw createInvalidReviewError('No rows selected. Select rows, then choose a decision')
  return [...uses.values()]
}

interface DecisionInput {
  readonly approval: 'yes' | 'no' | 'unreviewed'
  readonly reason: string
}

function readDecision(text: string, reason: string): DecisionInput {
  if (text === 'ignore') {
    if (reason === '') throw createInvalidReviewError('Enter a reason to ignore it')
    return { approval: 'yes', reason: `Ignored: ${reason}` }
  }
  if (text === 'yes' || text === 'no' || text === 'unreviewed') return { approval: text, reason }
  throw createInvalidReviewError('Choose Approve, Reject or Reset')
}

function readWholeReview(status: string, approval: string): Review {
  const review_status = REVIEW_STATUSES.find(({ value }) => value === status)?.value
  const is_approved = SCAN_APPROVALS.find(({ value }) => value === approval)?.value
  if (review_status && is_approved) return { review_status, is_approved }
  throw createInvalidReviewError('Choose a review status and a decision')
}

function createInvalidReviewError(message: string): ServiceError {
  return new ServiceError('invalid_input', message)
}
