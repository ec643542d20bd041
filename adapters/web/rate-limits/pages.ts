import type { Page } from '../page.ts'
import { renderRunList } from './list-page.ts'
import { renderRunPage } from './run-page.ts'
import { downloadEvidence, handleStop, servePlot } from './run-parts.ts'
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
