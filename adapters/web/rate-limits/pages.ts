import type { Page } from '../page.ts'
import { answerList } from './list-page.ts'
import { answerRun } from './run-page.ts'
import { answerEvidence, answerPlot, answerStop } from './run-parts.ts'
import { answerNew, answerStart } from './start-page.ts'

/** Rate-limit tests of the account: list, start form and results. */
export const rateLimitsPages: readonly Page[] = [
  get('/rate-limits', answerList),
  { ...get('/rate-limits/new', answerNew), access: 'benchmark' },
  { ...get('/rate-limits/new', answerStart), method: 'POST', access: 'benchmark' },
  get('/rate-limits/:run', answerRun),
  get('/rate-limits/:run/plot', answerPlot),
  get('/rate-limits/:run/evidence', answerEvidence),
  { ...get('/rate-limits/:run/stop', answerStop), method: 'POST', access: 'benchmark' },
]

function get(path: string, answer: Page['handle']): Page {
  return { method: 'GET', path, access: 'read', section: 'rate-limits', handle: answer }
}
