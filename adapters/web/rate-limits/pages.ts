import { ServiceError } from '../../../core/index.ts'
import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { renderRunList } from './list-page.ts'
import { toRunPath } from './paths.ts'
import { findRun, renderRunPage } from './run-page.ts'
import { handleStart, renderNewTestPage } from './start-page.ts'

/** Rate-limit tests of the account: list, start form and results. */
export const rateLimitsPages: readonly Page[] = [
  get('/rate-limits', renderRunList),
  { ...get('/rate-limits/new', renderNewTestPage), access: 'benchmark' },
  { ...get('/rate-limits/new', handleStart), method: 'POST', access: 'benchmark' },
  get('/rate-limits/:run', renderRunPage),
  get('/rate-limits/:run/plot', servePlot),
  get('/rate-limits/:run/evidence', downloadEvidence),
  { ...get('/rate-limits/:run/stop', handleStop), method: 'POST', access: 'benchmark' },
]

function get(path: string, answer: Page['handle']): Page {
  return { method: 'GET', path, access: 'read', section: 'rate-limits', handle: answer }
}

/** Serves the plot of a run as an image. */
async function servePlot(request: ViewedRequest): Promise<PageResult> {
  const run = await findRun(request)
  if (!run.result) throw new ServiceError('not_found', 'Plot not found: the run has no result')
  const asked = { endpoint_id: run.endpoint, run: run.id }
  const body = await request.call('getRateLimitPlot', asked)
  return { kind: 'resource', mediaType: 'image/svg+xml', body }
}

/** Downloads the evidence of a run, including every request. */
async function downloadEvidence(request: ViewedRequest): Promise<PageResult> {
  const run = await findRun(request)
  const asked = { endpoint_id: run.endpoint, run: run.id, with_requests: true }
  const evidence = await request.call('getRateLimitResult', asked)
  const body = `${JSON.stringify(evidence, undefined, 2)}\n`
  return {
    kind: 'file',
    name: `rate-limit-run-${run.id}.json`,
    mediaType: 'application/json',
    body,
  }
}

/** Stops a run. A run that has ended is unchanged. */
async function handleStop(request: ViewedRequest): Promise<PageResult> {
  const run = await findRun(request)
  await request.app.rateLimits.stop(request.viewer.caller.account, run.id)
  return { kind: 'redirect', to: `${toRunPath(run)}?done=stopped` }
}
