import type { KeySummary } from '../../../core/accounts/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { copyableText, factList, note, timeElement } from '../parts/text.ts'
import {
  explainMissingScopes,
  findKey,
  findOwnKey,
  formatTryCommand,
  isActiveKey,
  OVERLAPS,
  readChoice,
  renderKeyState,
  toKeyPath,
} from './account-keys.ts'
import { renderPolicySection } from './key-policy-page.ts'
import { renderKeyRefusals } from './refused-page.ts'
import { hasAllScopes, renderScopeList } from './scopes.ts'

const HOUR_MS = 3_600_000
/** Maximum number of refusals on the page of a key. */
const MAX_REFUSALS = 10

const DONE = new Map([
  ['made', 'Key created. Show it below, and copy it to the configuration of your programs.'],
  [
    'rotated',
    'Key rotated. This is the new key; the old one expires as chosen. Show the new key, and use it from now on.',
  ],
  ['limited', 'Limits saved. They apply within a second.'],
  ['unlimited', 'Limits removed. The key may call every API.'],
  ['revoked', 'Key revoked. It no longer works.'],
])

const common = { access: 'viewer', section: 'account', maxBodyBytes: 16 * 1024 } as const

/** Shows one key with its actions. The key itself is behind a button. */
export const keyPage: Page = {
  ...common,
  method: 'GET',
  path: '/account/keys/:id',
  handle: async (request) => {
    const key = await findKey(request)
    const { account } = request.viewer.caller
    const asked = { keyId: key.id, page: 1, size: MAX_REFUSALS }
    const refused = await request.app.accounts.listRefusals(account, asked)
    const policy = isActiveKey(key, request.now) ? await renderPolicySection(request, key) : ''
    return renderKeyPage(request, { key, more: html`${policy}${renderKeyRefusals(key, refused)}` })
  },
}

/** Shows the key. The response to a form is stored in no history and no cache. */
export const showKeyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/show',
  handle: async (request) => {
    const key = await findOwnKey(request)
    const { account } = request.viewer.caller
    const text = await request.app.accounts.readKey({ account, keyId: key.id })
    return renderKeyPage(request, { key, text })
  },
}

/** Replaces a key; the old one keeps working for the chosen time. */
export const rotateKeyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/rotate',
  handle: async (request) => {
    const { id: keyId } = await findOwnKey(request)
    const { account } = request.viewer.caller
    const overlapMs = (readChoice(OVERLAPS, request.form.text('overlap')) ?? 24) * HOUR_MS
    const { record } = await request.app.accounts.rotateKey({ account, keyId, overlapMs })
    return { kind: 'redirect', to: `${toKeyPath(record)}?done=rotated` }
  },
}

/** Revokes a key permanently, after confirmation. */
export const revokeKeyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/revoke',
  handle: async (request) => {
    const key = await findOwnKey(request)
    if (request.form.text('confirmed') !== 'yes') {
      return renderKeyPage(request, { key, error: 'Tick the box to revoke the key.' })
    }
    const { account } = request.viewer.caller
    await request.app.accounts.revokeKey({ account, keyId: key.id })
    return { kind: 'redirect', to: `${toKeyPath(key)}?done=revoked` }
  },
}

function renderKeyPage(
  request: ViewedRequest,
  options: {
    readonly key: KeySummary
    readonly text?: string
    readonly error?: string
    /** Content below the main part. */
    readonly more?: Html
  },
): PageResult {
  const { key, text, error, more } = options
  const { caller } = request.viewer
  const done = text === undefined ? DONE.get(request.query.get('done') ?? '') : undefined
  const body = html`<p class="crumbs"><a href="${CONSOLE}/account">Account</a></p>
<h1>Key ${key.name}</h1>
${done === undefined ? '' : note(done, 'good')}${error === undefined ? '' : note(error, 'bad')}
${factList([
  ['Key', html`<code>${key.hint}</code>`],
  ['State', renderKeyState(key, request.now)],
  ['Created', timeElement(key.createdAt)],
  ['Expires', timeElement(key.expiresAt)],
  ['Revoked', key.revokedAt !== undefined && timeElement(key.revokedAt)],
  ['Last used', timeElement(key.lastUsedAt)],
])}
<h2>Scopes</h2>
${renderScopeList(key.scopes)}
${hasAllScopes(caller, key.scopes) ? renderKeyActions(request, { key, text, error }) : note(`${explainMissingScopes(caller, key)}. You cannot show or change it.`)}
${more}`
  return { kind: 'page', title: `Key ${key.name}`, body, ...(error && { status: 400 }) }
}

function renderKeyActions(
  request: ViewedRequest,
  options: {
    readonly key: KeySummary
    readonly text: string | undefined
    readonly error: string | undefined
  },
): Html {
  const { key, text, error } = options
  const { formToken, now } = request
  const path = toKeyPath(key)
  if (!isActiveKey(key, now))
    return html`<p>A revoked or expired key cannot be reactivated. <a href="${CONSOLE}/account">Create a new key</a></p>`
  return html`<h2>Key</h2>
${text === undefined ? postForm({ action: `${path}/show`, formToken, content: html`<button>Show key</button>` }) : renderShownKey(request, { key, text })}
<h2>Rotation</h2>
<p>Creates a key with the same name and scopes. This key keeps working for a while, so that no program is interrupted.</p>
${postForm({
  action: `${path}/rotate`,
  formToken,
  content: html`${field({ name: 'overlap', label: 'This key keeps working for', options: OVERLAPS, isRequired: true })}
<button class="second">Rotate key</button>`,
})}
<h2>Revocation</h2>
<details${error === undefined ? '' : html` open`}><summary>Revoke this key</summary>
<p>Programs that use it are refused at once. This cannot be undone.</p>
${postForm({
  action: `${path}/revoke`,
  formToken,
  content: html`<p><label><input type="checkbox" name="confirmed" value="yes" required> Revoke the key permanently</label></p>
<button class="danger">Revoke key</button>`,
})}</details>`
}

function renderShownKey(
  request: ViewedRequest,
  { key, text }: { readonly key: KeySummary; readonly text: string },
): Html {
  return html`<p>Store it where only your programs can read it. Leaving this page hides the key.</p>
${copyableText({ id: 'api-key', text })}
${key.scopes.includes('read') ? html`<h3>Try it</h3>${copyableText({ id: 'try-key', text: formatTryCommand(request, text) })}` : ''}
<p><a class="button second" href="${toKeyPath(key)}">Hide key</a></p>`
}
