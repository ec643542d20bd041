import type { KeySummary } from '../../../core/accounts/index.ts'
import { type Scope, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { emptyState, formatNumber, note, timeElement } from '../parts/text.ts'
import { isActiveKey, LIFETIMES, readChoice, renderKeyState, toKeyPath } from './account-keys.ts'
import { renderAccountNav } from './account-nav.ts'
import { hasAllScopes, readScopes, renderScopeBadges, scopeOptions } from './scopes.ts'

const DAY_MS = 86_400_000
const PAGE_SIZE = 50

/** Welcomes the user and lists the account's API keys; the suggested key comes first. */
export const accountPage: Page = {
  method: 'GET',
  path: '/account',
  access: 'viewer',
  section: 'account',
  handle: (request) => renderAccountPage(request),
}

/** Creates a key, with at most the scopes of its creator. */
export const newKeyForm: Page = {
  method: 'POST',
  path: '/account/keys',
  access: 'viewer',
  section: 'account',
  maxBodyBytes: 64 * 1024,
  handle: async (request) => {
    const { app, viewer, form } = request
    const { account } = viewer.caller
    const scopes = readScopes(form.all('scope'))
    try {
      if (scopes.length === 0) throw new ServiceError('invalid_input', 'Choose at least one scope')
      if (!hasAllScopes(viewer.caller, scopes)) {
        throw new ServiceError('forbidden', 'A key can have only scopes that you have')
      }
      const days = readChoice(LIFETIMES, form.text('lifetime'))
      const expiresInMs = days === undefined ? undefined : days * DAY_MS
      const name = form.text('name')
      const { record } = await app.accounts.createKey({ account, name, scopes, expiresInMs })
      return { kind: 'redirect', to: `${toKeyPath(record)}?done=made` }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error
      return renderAccountPage(request, { error, scopes })
    }
  },
}

interface RejectedKeyForm {
  readonly error: ServiceError
  readonly scopes: readonly Scope[]
}

async function renderAccountPage(
  request: ViewedRequest,
  refused?: RejectedKeyForm,
): Promise<PageResult> {
  const { app, viewer } = request
  const { account, scopes } = viewer.caller
  const keys = await app.accounts.listKeys(account)
  const limited = await listLimited(request)
  const body = html`<h1>Hello, ${viewer.name}</h1>
<p class="lead">You are working in the account <strong>${account.name}</strong>. Your scopes: ${[...scopes].join(', ')}.</p>
${renderAccountNav(request, 'keys')}
<h2>Your API key</h2>
${renderSuggestedKey(request, keys)}
<h2>All API keys</h2>
${keys.length === 0 ? html`<p>No API keys yet.</p>` : renderKeyTable(request, { keys, limited })}
<h2>New API key</h2>
${renderNewKeyForm(request, refused)}`
  return { kind: 'page', title: 'Account', body, status: refused ? 400 : 200 }
}

/** Shows the active key with the most scopes that the viewer may see, behind a button. */
function renderSuggestedKey(
  { viewer, formToken, now }: ViewedRequest,
  keys: readonly KeySummary[],
): Html {
  const [key] = keys
    .filter((each) => isActiveKey(each, now) && hasAllScopes(viewer.caller, each.scopes))
    .reverse()
    .sort((one, other) => other.scopes.length - one.scopes.length)
  if (!key) {
    return emptyState(
      'No active key available',
      html`<p>Programs send a key in the header <code>api-key</code>. Create one below.</p>`,
    )
  }
  return html`<div class="panel"><p>Send the key <strong>${key.name}</strong>, <code>${key.hint}</code>, in the header <code>api-key</code>. Its scopes: ${key.scopes.join(', ')}.</p>
${postForm({ action: `${toKeyPath(key)}/show`, formToken, content: html`<button>Show key</button>` })}</div>`
}

function renderKeyTable(
  { query, now }: ViewedRequest,
  listed: {
    readonly keys: readonly KeySummary[]
    readonly limited: ReadonlySet<string> | undefined
  },
): Html {
  const { keys, limited } = listed
  const page = parsePageNumber(query)
  const shown = keys.toReversed().slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return html`${table({
    caption: `API keys, newest first: ${formatNumber(keys.length)}`,
    rows: shown,
    columns: [
      {
        title: 'Name',
        cell: (key) => html`<a href="${toKeyPath(key)}">${key.name}</a>`,
        isHead: true,
      },
      { title: 'Key', cell: ({ hint }) => html`<code>${hint}</code>`, isTight: true },
      { title: 'State', cell: (key) => renderKeyState(key, now), isTight: true },
      { title: 'Scopes', cell: ({ scopes }) => renderScopeBadges(scopes) },
      ...(limited ? [createLimitColumn(limited)] : []),
      { title: 'Expires', cell: ({ expiresAt }) => timeElement(expiresAt), isTight: true },
      { title: 'Last used', cell: ({ lastUsedAt }) => timeElement(lastUsedAt), isTight: true },
    ],
  })}
${pager({ path: `${CONSOLE}/account`, query, page, pageSize: PAGE_SIZE, total: keys.length })}`
}

/** Returns the IDs of keys with a policy; undefined if the viewer may not see policies. */
async function listLimited(request: ViewedRequest): Promise<ReadonlySet<string> | undefined> {
  if (!request.viewer.caller.scopes.has('admin')) return undefined
  const { policies } = await request.call('listPolicies', {})
  return new Set(policies.map(({ key_id }) => key_id))
}

function createLimitColumn(limited: ReadonlySet<string>) {
  return {
    title: 'Calls',
    isTight: true,
    cell: ({ id, scopes }: KeySummary) =>
      scopes.includes('call') ? (limited.has(id) ? 'limited' : 'unlimited') : 'none',
  }
}

function renderNewKeyForm(
  { viewer, form, formToken }: ViewedRequest,
  refused: RejectedKeyForm | undefined,
): Html {
  const error = refused?.error.message
  const isScopes = refused?.scopes.length === 0
  return postForm({
    action: `${CONSOLE}/account/keys`,
    formToken,
    content: html`${isScopes ? note(error, 'bad') : ''}${field({
      name: 'name',
      label: 'Name',
      value: form.text('name'),
      isRequired: true,
      autocomplete: 'off',
      hint: 'Purpose of the key, such as “nightly build”.',
      error: isScopes ? undefined : error,
      more: html`maxlength="100"`,
    })}
${checkboxes({
  name: 'scope',
  legend: 'Scopes',
  options: scopeOptions(viewer.caller),
  chosen: new Set(refused ? refused.scopes : ['read']),
})}
${field({ name: 'lifetime', label: 'Expiration', options: LIFETIMES, value: form.text('lifetime'), isRequired: true })}
<button>Create key</button>`,
  })
}
