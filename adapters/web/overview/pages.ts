import type { Page } from '../page.ts'
import { answerOverview } from './overview-page.ts'
import { answerStatus } from './status-page.ts'

/** Pages of the overview and of the service status. */
export const overviewPages: readonly Page[] = [
  { method: 'GET', path: '/', access: 'read', section: 'overview', handle: answerOverview },
  { method: 'GET', path: '/status', access: 'admin', section: 'overview', handle: answerStatus },
]
