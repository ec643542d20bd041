import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'

const TABS = [
  { id: 'keys', title: 'API keys', path: '/account', scope: undefined },
  { id: 'credentials', title: 'Credentials', path: '/credentials', scope: 'call' },
  { id: 'calls', title: 'Calls', path: '/account/calls', scope: 'call' },
  { id: 'refused', title: 'Refused', path: '/account/refused', scope: undefined },
  { id: 'password', title: 'Password', path: '/account/password', scope: undefined },
  { id: 'users', title: 'Users', path: '/account/users', scope: 'admin' },
] as const

/** Renders the tabs of the account pages; pages without access are omitted. */
export function renderAccountNav(
  { viewer }: ViewedRequest,
  current: (typeof TABS)[number]['id'],
): Html {
  const shown = TABS.filter(({ scope }) => scope === undefined || viewer.caller.scopes.has(scope))
  return html`<nav aria-label="Account"><ul class="tabs">${shown.map(
    ({ id, title, path }) =>
      html`<li><a href="${CONSOLE}${path}"${id === current ? html` aria-current="page"` : ''}>${title}</a></li>`,
  )}</ul></nav>`
}
