import type { KeySummary } from '../../../core/accounts/index.ts'
import { contract } from '../../../core/contract.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { KeyRefusal } from '../../../core/storage.ts'
import { CONSOLE, type Page, type ViewedRequest } from '../page.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber, timeElement } from '../parts/text.ts'
import { toKeyPath } from './account-keys.ts'
import { renderAccountNav } from './account-nav.ts'

const PAGE_SIZE = 50

/** Path of the list of refused requests. */
const PATH = `${CONSOLE}/account/refused`

/**
 * Lists requests that were refused before anything was done: for all keys of the account, or for
 * one.
 */
export const refusedPage: Page = {
  method: 'GET',
  path: '/account/refused',
  access: 'viewer',
  section: 'account',
  handle: async (request) => {
    const { app, viewer, query } = request
    const { account } = viewer.caller
    const page = parsePageNumber(query)
    const keys = await app.accounts.listKeys(account)
    const key = keys.find(({ id }) => id === query.get('key'))
    const asked = { page, size: PAGE_SIZE, keyId: key?.id }
    const { items, total } = await app.accounts.listRefusals(account, asked)
    const body = html`<h1>Refused requests</h1>
<p class="lead">Refused requests with ${key ? html`the key <a href="${toKeyPath(key)}">${key.name}</a>` : 'the account’s keys'} in the last 90 days. ${key ? html`<a href="${PATH}">Show all keys</a>` : renderCallsHint(request)}</p>
${renderAccountNav(request, 'refused')}
${
  items.length === 0
    ? page > 1
      ? renderPageNotFound(PATH, query)
      : emptyState(
          'No refused requests',
          html`<p>Requests without a known key belong to no account and are not listed.</p>`,
        )
    : renderRefusalTable(items, { keys, total })
}
${pager({ path: PATH, query, page, pageSize: PAGE_SIZE, total })}`
    return { kind: 'page', title: 'Refused requests', body }
  },
}

/** Renders a hint for viewers who may see the gateway's calls. */
function renderCallsHint({ viewer }: ViewedRequest): Html {
  return viewer.caller.scopes.has('call')
    ? html`Requests refused by the gateway are listed under <a href="${CONSOLE}/account/calls">Calls</a>.`
    : html``
}

/** Renders the refused requests of one key, newest first; empty if there are none. */
export function renderKeyRefusals(
  key: KeySummary,
  { items, total }: { readonly items: readonly KeyRefusal[]; readonly total: number },
): Html {
  if (items.length === 0) return html``
  return html`<h2>Refused requests</h2>
${renderRefusalTable(items, { keys: [key], total })}
${total > items.length ? html`<p><a href="${PATH}?key=${key.id}">All ${formatNumber(total)}</a></p>` : ''}`
}

function renderRefusalTable(
  rows: readonly KeyRefusal[],
  known: { readonly keys: readonly KeySummary[]; readonly total: number },
): Html {
  const byId = new Map(known.keys.map((key) => [key.id, key]))
  return table({
    caption: `Refused requests by key, operation and reason, newest first: ${formatNumber(known.total)}`,
    rows,
    columns: [
      {
        title: 'Last (UTC)',
        cell: ({ lastAt }) => timeElement(lastAt),
        sortValue: ({ lastAt }) => lastAt,
        isTight: true,
      },
      {
        title: 'Operation',
        cell: ({ operation }) => html`<code>${operation}</code>`,
        isHead: true,
      },
      { title: 'Reason', cell: ({ reason }) => badge(REASONS[reason], 'bad'), isTight: true },
      { title: 'Count', cell: ({ count: times }) => formatNumber(times), isNumber: true },
      { title: 'Key', cell: ({ keyId }) => renderKeyLink(byId.get(keyId)) },
      { title: 'Solution', cell: renderSolution },
    ],
  })
}

function renderKeyLink(key: KeySummary | undefined): Html {
  if (!key) return html`<span class="soft">removed</span>`
  return html`<a href="${toKeyPath(key)}">${key.name}</a> <code>${key.hint}</code>`
}

const REASONS = {
  scope: 'scope missing',
  revoked: 'key revoked',
  expired: 'key expired',
  limit: 'too many requests',
} as const

function renderSolution({ reason, operation }: KeyRefusal): Html {
  if (reason === 'limit')
    return html`Send fewer requests at a time, and wait for <code>Retry-After</code>.`
  if (reason !== 'scope') return html`Use another key in the program that sends it.`
  const { scope } = Object.hasOwn(contract, operation)
    ? contract[operation as keyof typeof contract]
    : { scope: undefined }
  return scope === undefined
    ? html`Use a key with the required scope.`
    : html`Use a key with the scope <code>${scope}</code>.`
}
