import type { Page } from '../page.ts'
import { answerOverview } from './overview-page.ts'
import { answerStatus } from './status-page.ts'

/** What there is, and how fresh it is. */
export const overviewPages: readonly Page[] = [
  { method: 'GET', path: '/', access: 'read', section: 'overview', answer: answerOverview },
  { method: 'GET', path: '/status', access: 'admin', section: 'overview', answer: answerStatus },
]
