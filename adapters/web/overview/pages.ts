import { html } from '../../../core/shared/html.ts'
import type { Page } from '../page.ts'

/** What there is, and how fresh it is. */
export const overviewPages: readonly Page[] = [
  {
    method: 'GET',
    path: '/',
    access: 'read',
    section: 'overview',
    answer: () => ({ kind: 'page', title: 'Overview', body: html`<h1>Overview</h1>` }),
  },
]
