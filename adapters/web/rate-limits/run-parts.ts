import { ServiceError } from '../../../core/index.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { toRunPath } from './paths.ts'
import { findRun } from './run-page.ts'

/** Serves the plot of a run as an image. */
export async function servePlot(request: ViewedRequest): Promise<PageResult> {
  const run = await findRun(request)
  if (!run.result) throw new ServiceError('not_found', 'Plot not found: the run has no result')
  const asked = { endpoint_id: run.endpoint, run: run.id }
  const body = await request.call('getRateLimitPlot', asked)
  return { kind: 'resource', mediaType: 'image/svg+xml', body }
}

/** Downloads the evidence of a run, including every request. */
export async function downloadEvidence(request: ViewedRequest): Promise<PageResult> {
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
export async function handleStop(request: ViewedRequest): Promise<PageResult> {
  const run = await findRun(request)
  await request.app.rateLimits.stop(request.viewer.caller.account, run.id)
  return { kind: 'redirect', to: `${toRunPath(run)}?done=stopped` }
}
