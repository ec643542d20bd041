import { ServiceError } from '../../../core/index.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { toRunPath } from './paths.ts'
import { findRun } from './run-page.ts'

/** The plot of a run as a picture. */
export async function answerPlot(request: ViewedRequest): Promise<PageAnswer> {
  const run = await findRun(request)
  if (!run.result) throw new ServiceError('not_found', 'The run has no plot')
  const { toPlot } = await import('../../../core/rate-limits/probe/plot.ts')
  return { kind: 'resource', mediaType: 'image/svg+xml', body: toPlot(run.result, run) }
}

/** The evidence of a run, each request included, to save. */
export async function answerEvidence(request: ViewedRequest): Promise<PageAnswer> {
  const run = await findRun(request)
  const { toResultWire } = await import('../../../core/rate-limits/to-wire.ts')
  const evidence = toResultWire(run, { isExtended: true, hasRequests: true })
  const body = `${JSON.stringify(evidence, undefined, 2)}\n`
  return {
    kind: 'file',
    name: `rate-limit-run-${run.id}.json`,
    mediaType: 'application/json',
    body,
  }
}

/** Stops a run; one that has ended stays as it is. */
export async function answerStop(request: ViewedRequest): Promise<PageAnswer> {
  const run = await findRun(request)
  await request.app.rateLimits.stop(request.viewer.caller.account, run.id)
  return { kind: 'redirect', to: `${toRunPath(run)}?done=stopped` }
}
