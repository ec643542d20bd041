import type { CallOutput, Contract } from '../../../core/contract.ts'
import { ServiceError } from '../../../core/index.ts'
import type { TestRun } from '../../../core/rate-limits/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { pollingAttributes } from '../parts/live.ts'
import { table } from '../parts/table.ts'
import { factList, formatNumber, note, timeElement } from '../parts/text.ts'
import {
  formatProgress,
  formatRateLimit,
  formatSeconds,
  isOpen,
  stateBadge,
  verdictBadge,
} from './formats.ts'
import { endpointLink, findTested } from './list-page.ts'
import { RATE_LIMITS_PATH, toRunPath } from './paths.ts'

/** Finds the run of the account that the path names. Throws `not_found`. */
export async function findRun({ app, viewer, params }: ViewedRequest): Promise<TestRun> {
  if (/^[1-9][0-9]{0,11}$/.test(params.run ?? '')) {
    return app.rateLimits.find(viewer.caller.account, Number(params.run))
  }
  throw new ServiceError('not_found', 'Rate-limit test run not found')
}

const DONE_MESSAGES = new Map([
  ['started', 'The test is queued. This page shows its progress.'],
  ['already', 'A test of this endpoint is already queued or running.'],
  ['stopped', 'The test is stopping. Requests stop within a second.'],
])

/** Renders a run: the verdict first, then its evidence. */
export async function renderRunPage(request: ViewedRequest): Promise<PageResult> {
  const run = await findRun(request)
  const tested = await findTested(request, run.endpoint)
  const code = request.query.get('done') ?? ''
  const done = isOpen(run) || code === 'stopped' ? DONE_MESSAGES.get(code) : undefined
  const live = isOpen(run) ? pollingAttributes({ path: toRunPath(run), id: 'run', seconds: 2 }) : ''
  const body = html`<p class="crumbs"><a href="${RATE_LIMITS_PATH}">Rate limits</a></p>
<h1>Run ${run.id}</h1>
<div id="run"${live}>
${done ? note(done, 'good') : ''}
${renderRunHead(request, run)}
<h2>Details</h2>
${factList([
  ['Endpoint', tested ? endpointLink(tested) : run.endpoint],
  ['Host', run.host],
  ['Requests', formatProgress(run)],
  ['Rate', `at most ${formatNumber(run.budget.rate)} per second`],
  ['Largest body', `${formatNumber(run.budget.payloadBytes)} bytes`],
  ['Consent', run.input.consent === 'operator' ? 'operator' : 'account’s token'],
  ['Credentials', run.input.usesCredentials ? 'stored credentials of the account' : 'none'],
  ['Created', html`${timeElement(run.createdAt)} UTC`],
  ['Started', run.startedAt !== undefined && html`${timeElement(run.startedAt)} UTC`],
  ['Ended', run.endedAt !== undefined && html`${timeElement(run.endedAt)} UTC`],
])}
${run.result ? await renderEvidence(request, run, run.result) : ''}
</div>`
  return { kind: 'page', title: `Run ${run.id}`, body }
}

function renderRunHead(request: ViewedRequest, run: TestRun): Html {
  const { result } = run
  const path = toRunPath(run)
  const canStop = isOpen(run) && !run.isStopped && request.viewer.caller.scopes.has('benchmark')
  return html`<p>${result ? verdictBadge(result.verdict.verdict) : ''} ${stateBadge(run)}</p>
${result ? html`<p class="lead">${result.verdict.text}</p>` : ''}
${run.failure ? note(run.failure, 'warn') : ''}
${isOpen(run) ? html`<p><progress max="${run.budget.requests}" value="${Math.min(run.sent, run.budget.requests)}" aria-label="Requests sent"></progress> ${formatProgress(run)}. <a href="${path}">Refresh</a></p>` : ''}
${run.state === 'queued' ? html`<p class="soft">Waiting for a worker${run.needs ? ` with ${run.needs}` : ''}: a server of this service, or <code>${request.command} jobs run</code>.</p>` : ''}
${canStop ? postForm({ action: `${path}/stop`, formToken: request.formToken, content: html`<button class="danger">Stop the test</button>` }) : ''}
${!result && !isOpen(run) ? html`<p>No verdict. <a href="${RATE_LIMITS_PATH}/new?endpoint=${run.endpoint}">Start another test</a></p>` : ''}`
}

const COMPARISONS = {
  untried: 'The requests did not test the declared limit.',
  kept: 'The observations match the declared limit.',
  exceeded: 'More calls were served than declared.',
} as const

async function renderEvidence(
  request: ViewedRequest,
  run: TestRun,
  result: NonNullable<TestRun['result']>,
): Promise<Html> {
  const asked = { endpoint_id: run.endpoint, run: run.id, extended: true }
  const { extended } = await request.call('getRateLimitResult', asked)
  const { rate, payload, page } = result.verdict
  const path = toRunPath(run)
  return html`<h2>Declared and observed</h2>
${factList([
  ['Declared', formatRateLimit(rate.declared) ?? 'none'],
  ['Observed', rate.summary ?? formatRateLimit(rate.observed) ?? 'none'],
  ['Comparison', rate.comparison && COMPARISONS[rate.comparison]],
  ['Recovery time', rate.recoveryMs !== undefined && formatSeconds(rate.recoveryMs)],
  [
    'Largest accepted body',
    payload.largestTaken !== undefined && `${formatNumber(payload.largestTaken)} bytes`,
  ],
  [
    'Smallest rejected body',
    payload.smallestRefused !== undefined && `${formatNumber(payload.smallestRefused)} bytes`,
  ],
  [
    'Larger page sizes',
    page.state === 'untested'
      ? 'not tested'
      : page.state === 'bounded'
        ? 'limited'
        : page.state === 'followed'
          ? 'not limited'
          : 'unknown',
  ],
])}
<h2>Timeline</h2>
<div class="plot-scroll" tabindex="0" role="region" aria-label="Timeline"><img src="${path}/plot" alt="Plot of the requests of run ${run.id} over time; the table below contains the same data"></div>
<details><summary>Data of the plot</summary>
${table({
  caption: 'Requests per tenth of a second; empty steps are omitted',
  columns: [
    {
      title: 'Time',
      isHead: true,
      sortValue: ({ at_ms: at }: TimelineRow) => at,
      cell: ({ at_ms: at }) => formatSeconds(at),
    },
    { title: 'Sent', isNumber: true, cell: ({ sent }) => formatNumber(sent) },
    { title: 'Served', isNumber: true, cell: ({ ok }) => formatNumber(ok) },
    { title: 'Limited', isNumber: true, cell: ({ limited }) => formatNumber(limited) },
    { title: 'Failed', isNumber: true, cell: ({ failed }) => formatNumber(failed) },
    {
      title: 'Median, ms',
      isNumber: true,
      cell: ({ p50_ms: p50 }) => (p50 === null ? '' : Math.round(p50)),
    },
    {
      title: '99th percentile, ms',
      isNumber: true,
      cell: ({ p99_ms: p99 }) => (p99 === null ? '' : Math.round(p99)),
    },
  ],
  rows: extended?.timeline ?? [],
})}</details>
<p><a class="button second" href="${path}/evidence">Evidence as JSON</a></p>`
}

type TimelineRow = NonNullable<
  CallOutput<Contract['getRateLimitResult']>['extended']
>['timeline'][number]
