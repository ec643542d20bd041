import { PROBLEMS } from '../../../core/http/problems.ts'
import { type KeptScan, ServiceError, type ShownUse } from '../../../core/index.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { REVIEW_STATUSES, SCAN_APPROVALS } from './review-parts.ts'
import { showScan } from './scan-page.ts'
import { readApiId, readView, toFilter, toViewQuery, type UseView } from './view.ts'

/** Keeps what was decided, on the ticked uses or on the whole. */
export async function answerReview(request: ViewedRequest, kind: ScanKind): Promise<PageAnswer> {
  const { app, form, params, viewer } = request
  const fields: Readonly<Record<string, string>> = { api: 'of_api' }
  const view = readView({ get: (name) => form.text(fields[name] ?? name) || null })
  const query = toViewQuery(view)
  if (/^[0-9]{1,6}$/.test(form.text('page'))) query.set('page', form.text('page'))
  const { scan } = await app.scans.getCounted(viewer.caller.account, {
    kind,
    id: params.id ?? '',
  })
  const to = (done: string) => {
    query.set('done', done)
    return { kind: 'redirect', to: `${toScanPath(scan)}?${query}` } as const
  }
  try {
    if (form.text('whole') === '1') {
      await send(request, {
        scan,
        body: readWhole(form.text('review_status'), form.text('is_approved')),
      })
      return to('whole')
    }
    const approval = readApproval(form.text('approval'))
    const uses = await readUses(request, { scan, view })
    const reason = form.text('reason').trim()
    for (let start = 0; start < uses.length; start += PER_REVIEW) {
      const endpoints = uses
        .slice(start, start + PER_REVIEW)
        .map((use) => ({ ...toSubject(scan, use), approval, reason }))
      await send(request, { scan, body: { endpoints } })
    }
    return to(approval)
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEMS[error.code].status >= 500) throw error
    const draft = {
      status: PROBLEMS[error.code].status,
      error: error.issues[0]?.message ?? error.message,
      uses: form.all('use'),
      apis: form.all('api'),
      reason: form.text('reason'),
    }
    return showScan(request, { kind, query, draft })
  }
}

/** As many as one review takes. */
const PER_REVIEW = 1000
/** Uses of one API, or of none, that are decided on at once. */
const MOST_OF_API = 20_000

type Review = Pick<
  Parameters<typeof sendProject>[1]['body'],
  'review_status' | 'is_approved' | 'endpoints'
>

async function send(
  request: ViewedRequest,
  { scan, body }: { readonly scan: KeptScan; readonly body: Review },
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

/** A host of a network stands for all that was seen of it, whatever the method. */
function toSubject({ kind }: KeptScan, { subject, method }: ShownUse) {
  const isHost = /^(?:https?:\/\/)?[^/?#@\s]+\/?$/i.test(subject)
  return kind === 'network' && isHost
    ? { endpoint_url: subject }
    : { endpoint_url: subject, endpoint_method: method }
}

/** Those that are ticked, and of ticked APIs all that the view lists: no others change unseen. */
async function readUses(
  { app, form, viewer }: ViewedRequest,
  { scan, view }: { readonly scan: KeptScan; readonly view: UseView },
): Promise<readonly ShownUse[]> {
  const { account } = viewer.caller
  const places = form.all('use').filter((text) => /^[0-9]{1,15}$/.test(text))
  const uses = new Map<number, ShownUse>()
  const picked = await app.scans.pickUses(account, { scan, places: places.map(Number) })
  for (const use of picked) uses.set(use.place, use)
  for (const text of form.all('api')) {
    const apiId = readApiId(text)
    if (apiId === undefined) continue
    const found = await app.scans.listUses(account, {
      scan,
      filter: toFilter({ ...view, apiId }),
      offset: 0,
      limit: MOST_OF_API + 1,
    })
    if (found.length > MOST_OF_API) {
      throw refuse(
        `An API with more than ${MOST_OF_API} endpoints is reviewed by the command \`scans review\``,
      )
    }
    for (const use of found) uses.set(use.place, use)
  }
  if (uses.size === 0) throw refuse('Nothing is selected: tick endpoints or a whole API')
  return [...uses.values()]
}

function readApproval(text: string): 'yes' | 'no' | 'unreviewed' {
  if (text === 'yes' || text === 'no' || text === 'unreviewed') return text
  throw refuse('Choose to approve, to refuse or to take back')
}

function readWhole(status: string, approval: string): Review {
  const review_status = REVIEW_STATUSES.find(({ value }) => value === status)?.value
  const is_approved = SCAN_APPROVALS.find(({ value }) => value === approval)?.value
  if (review_status && is_approved) return { review_status, is_approved }
  throw refuse('Choose how far the review is, and what is decided')
}

function refuse(message: string): ServiceError {
  return new ServiceError('invalid_input', message)
}
