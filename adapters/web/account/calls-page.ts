import { html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page } from '../page.ts'
import { accountOption } from '../parts/account-option.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber, timeElement } from '../parts/text.ts'
import { renderAccountNav } from './account-nav.ts'

const PAGE_SIZE = 50

/** Lists recent calls through the gateway, including refused and failed ones. */
export const callsPage: Page = {
  method: 'GET',
  path: '/account/calls',
  access: 'call',
  section: 'account',
  handle: async (request) => {
    const { app, viewer, query } = request
    const page = parsePageNumber(query)
    const found = await request.call('listCalls', { page, size: PAGE_SIZE })
    const keys = await app.accounts.listKeys(viewer.caller.account)
    const names = new Map(keys.map(({ id, name }) => [id, name]))
    const body = html`<h1>Calls</h1>
<p class="lead">Calls of the account through the gateway in the last 90 days, including refused calls.</p>
${renderAccountNav(request, 'calls')}
${
  found.calls.length === 0
    ? page > 1
      ? renderPageNotFound(`${CONSOLE}/account/calls`)
      : emptyState(
          'No calls yet',
          html`<p>Try an endpoint in the <a href="${CONSOLE}/apis">catalogue</a>, or call one by its ID:</p><pre>${request.command} gateway ENDPOINT_ID ${accountOption(viewer.caller.account)}</pre>`,
        )
    : table({
        caption: `Calls, newest first: ${formatNumber(found.num_results)}`,
        rows: found.calls,
        columns: [
          {
            title: 'Time (UTC)',
            cell: ({ start_time }) => timeElement(Date.parse(start_time)),
            isTight: true,
          },
          {
            title: 'Call',
            cell: (call) => html`<span class="method">${call.method}</span> ${call.origin}`,
            isHead: true,
          },
          {
            title: 'Endpoint',
            cell: ({ api_id, endpoint_id }) =>
              html`<a href="${CONSOLE}/apis/${api_id}/endpoints/${endpoint_id}"><code>${endpoint_id}</code></a>`,
            isTight: true,
          },
          { title: 'Outcome', cell: renderOutcome, isTight: true },
          {
            title: 'Caller',
            cell: ({ key_id, caller, client }) =>
              html`${names.get(key_id) ?? html`<span class="soft">${key_id || caller}</span>`}${client === '' ? '' : html` <span class="soft">${client}</span>`}`,
          },
          { title: 'Bytes', cell: ({ bytes }) => formatNumber(bytes), isNumber: true },
          { title: 'ms', cell: ({ milliseconds }) => formatNumber(milliseconds), isNumber: true },
        ],
      })
}
${pager({ path: `${CONSOLE}/account/calls`, query, page, pageSize: PAGE_SIZE, total: found.num_results })}`
    return { kind: 'page', title: 'Calls', body }
  },
}

/** Shows the status of the target's response, or why there is none. */
function renderOutcome({ status, failure }: { readonly status: number; readonly failure: string }) {
  if (failure !== '') return badge(failure.replaceAll('_', ' '), 'bad')
  return badge(status, status < 300 ? 'good' : status < 400 ? 'plain' : 'warn')
}
