import { type KeySummary, type Scope, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageAnswer, type ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { pager, readPage } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { count, empty, note, time } from '../parts/text.ts'
import { accountNav } from './account-nav.ts'
import { isInForce, keyState, LIFETIMES, readChoice, toKeyPath } from './keys.ts'
import { hasAll, readScopes, scopeBadges, scopeOptions } from './scopes.ts'

const DAY_MS = 86_400_000
const PAGE_SIZE = 50

/** Greets the person, and lists the account's keys: the one to use first. */
export const accountPage: Page = {
  method: 'GET',
  path: '/account',
  access: 'viewer',
  section: 'account',
  answer: (request) => drawAccount(request),
}

/** Makes a key, which permits at most what its maker may do. */
export const newKeyForm: Page = {
  method: 'POST',
  path: '/account/keys',
  access: 'viewer',
  section: 'account',
  maxBodyBytes: 64 * 1024,
  answer: async (request) => {
    const { app, viewer, form } = request
    const { account } = viewer.caller
    const scopes = readScopes(form.all('scope'))
    try {
      if (scopes.length === 0) throw new ServiceError('invalid_input', 'Choose what it may do')
      if (!hasAll(viewer.caller, scopes)) {
        throw new ServiceError('forbidden', 'A key cannot permit more than you may do')
      }
      const days = readChoice(LIFETIMES, form.text('lifetime'))
      const expiresInMs = days === undefined ? undefined : days * DAY_MS
      const name = form.text('name')
      const { record } = await app.accounts.createKey({ account, name, scopes, expiresInMs })
      return { kind: 'redirect', to: `${toKeyPath(record)}?done=made` }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error
      return drawAccount(request, { error, scopes })
    }
  },
}

interface Refused {
  readonly error: ServiceError
  readonly scopes: readonly Scope[]
}

async function drawAccount(request: ViewedRequest, refused?: Refused): Promise<PageAnswer> {
  const { app, viewer } = request
  const { account, scopes } = viewer.caller
  const keys = await app.accounts.listKeys(account)
  const limited = await listLimited(request)
  const body = html`<h1>Hello, ${viewer.name}</h1>
<p class="lead">You work in the account <strong>${account.name}</strong> and may: ${[...scopes].join(', ')}.</p>
${accountNav(request, 'keys')}
<h2>Your API key</h2>
${drawFirst(request, keys)}
<h2>All keys of the account</h2>
${keys.length === 0 ? html`<p>There are none yet.</p>` : drawKeys(request, { keys, limited })}
<h2>Make a key</h2>
${drawForm(request, refused)}`
  return { kind: 'page', title: 'Account', body, status: refused ? 400 : 200 }
}

/** Of the keys that work and that the viewer may see the one that permits most, behind a button. */
function drawFirst({ viewer, formToken, now }: ViewedRequest, keys: readonly KeySummary[]): Html {
  const [key] = keys
    .filter((each) => isInForce(each, now) && hasAll(viewer.caller, each.scopes))
    .reverse()
    .sort((one, other) => other.scopes.length - one.scopes.length)
  if (!key) {
    return empty(
      'There is no key in force that you may see',
      html`<p>Programs send one in the header <code>api-key</code>. Make one below.</p>`,
    )
  }
  return html`<div class="panel"><p>Programs send it in the header <code>api-key</code>. This is <strong>${key.name}</strong>, <code>${key.hint}</code>, and it permits: ${key.scopes.join(', ')}.</p>
${postForm({ action: `${toKeyPath(key)}/show`, formToken, content: html`<button>Show the key</button>` })}</div>`
}

function drawKeys(
  { query, now }: ViewedRequest,
  listed: {
    readonly keys: readonly KeySummary[]
    readonly limited: ReadonlySet<string> | undefined
  },
): Html {
  const { keys, limited } = listed
  const page = readPage(query)
  const shown = keys.toReversed().slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return html`${table({
    caption: `Keys, the newest first: ${count(keys.length)}`,
    rows: shown,
    columns: [
      {
        title: 'Name',
        cell: (key) => html`<a href="${toKeyPath(key)}">${key.name}</a>`,
        isHead: true,
      },
      { title: 'Key', cell: ({ hint }) => html`<code>${hint}</code>`, isTight: true },
      { title: 'State', cell: (key) => keyState(key, now), isTight: true },
      { title: 'Permits', cell: ({ scopes }) => scopeBadges(scopes) },
      ...(limited ? [toLimitColumn(limited)] : []),
      { title: 'Expires', cell: ({ expiresAt }) => time(expiresAt), isTight: true },
      { title: 'Last used', cell: ({ lastUsedAt }) => time(lastUsedAt), isTight: true },
    ],
  })}
${pager({ path: `${CONSOLE}/account`, query, page, pageSize: PAGE_SIZE, total: keys.length })}`
}

/** The ids of the keys with a policy; undefined for those who may not see policies. */
async function listLimited(request: ViewedRequest): Promise<ReadonlySet<string> | undefined> {
  if (!request.viewer.caller.scopes.has('admin')) return undefined
  const { policies } = await request.call('listPolicies', {})
  return new Set(policies.map(({ key_id }) => key_id))
}

function toLimitColumn(limited: ReadonlySet<string>) {
  return {
    title: 'Calls',
    isTight: true,
    cell: ({ id, scopes }: KeySummary) =>
      scopes.includes('call') ? (limited.has(id) ? 'limited' : 'any') : 'none',
  }
}

function drawForm({ viewer, form, formToken }: ViewedRequest, refused: Refused | undefined): Html {
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
      hint: 'What uses it, such as “nightly build”.',
      error: isScopes ? undefined : error,
      more: html`maxlength="100"`,
    })}
${checkboxes({
  name: 'scope',
  legend: 'It may',
  options: scopeOptions(viewer.caller),
  chosen: new Set(refused ? refused.scopes : ['read']),
})}
${field({ name: 'lifetime', label: 'It works for', options: LIFETIMES, value: form.text('lifetime'), isRequired: true })}
<button>Make the key</button>`,
  })
}
