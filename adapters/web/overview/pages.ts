import type { Page } from '../page.ts'
import { renderOverview } from './overview-page.ts'
import { renderStatus } from './status-page.ts'

/** Pages of the overview and of the service status. */
export const overviewPages: readonly Page[] = [
  { method: 'GET', path: '/', access: 'read', section: 'overview', handle: renderOverview },
  { method: 'GET', path: '/status', access: 'admin', section: 'overview', handle: renderStatus },
]
