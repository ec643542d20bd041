import type { KeySummary } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageAnswer, type ViewedRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { copyable, facts, note, time } from '../parts/text.ts'
import { policySection } from './key-policy.ts'
import {
  findKey,
  findOwnKey,
  isInForce,
  keyState,
  OVERLAPS,
  readChoice,
  toCurl,
  toKeyPath,
  whyNot,
} from './keys.ts'
import { refusalsOf } from './refused-page.ts'
import { hasAll, scopeList } from './scopes.ts'

const HOUR_MS = 3_600_000
/** Kinds of refusals that stand on the page of a key. */
const MAX_REFUSALS = 10

const DONE = new Map([
  ['made', 'The key is made. Show it, and copy it to where your programs read it.'],
  [
    'rotated',
    'This is the new key; its predecessor ends when you said. Show it, and use it from now on.',
  ],
  ['limited', 'Limits saved. They apply within a second.'],
  ['unlimited', 'Limits lifted. The key may call every API.'],
  ['revoked', 'The key is revoked: it does not work any more.'],
])

const common = { access: 'viewer', section: 'account', maxBodyBytes: 16 * 1024 } as const

/** One key: what it is, and what can be done with it. The key itself is behind a button. */
export const keyPage: Page = {
  ...common,
  method: 'GET',
  path: '/account/keys/:id',
  answer: async (request) => {
    const key = await findKey(request)
    const { account } = request.viewer.caller
    const asked = { keyId: key.id, page: 1, size: MAX_REFUSALS }
    const refused = await request.app.accounts.listRefusals(account, asked)
    const policy = isInForce(key, request.now) ? await policySection(request, key) : ''
    return drawKey(request, { key, more: html`${policy}${refusalsOf(key, refused)}` })
  },
}

/** Shows the key. The answer to a form is in no history and in no cache. */
export const showKeyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/show',
  answer: async (request) => {
    const key = await findOwnKey(request)
    const { account } = request.viewer.caller
    const text = await request.app.accounts.readKey({ account, keyId: key.id })
    return drawKey(request, { key, text })
  },
}

/** Makes a key in the place of this one, which works a while longer. */
export const rotateKeyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/rotate',
  answer: async (request) => {
    const { id: keyId } = await findOwnKey(request)
    const { account } = request.viewer.caller
    const overlapMs = (readChoice(OVERLAPS, request.form.text('overlap')) ?? 24) * HOUR_MS
    const { record } = await request.app.accounts.rotateKey({ account, keyId, overlapMs })
    return { kind: 'redirect', to: `${toKeyPath(record)}?done=rotated` }
  },
}

/** Ends a key for good, when it is confirmed. */
export const revokeKeyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/revoke',
  answer: async (request) => {
    const key = await findOwnKey(request)
    if (request.form.text('confirmed') !== 'yes') {
      return drawKey(request, { key, error: 'Tick the box to revoke the key.' })
    }
    const { account } = request.viewer.caller
    await request.app.accounts.revokeKey({ account, keyId: key.id })
    return { kind: 'redirect', to: `${toKeyPath(key)}?done=revoked` }
  },
}

function drawKey(
  request: ViewedRequest,
  given: {
    readonly key: KeySummary
    readonly text?: string
    readonly error?: string
    /** What stands below. */
    readonly more?: Html
  },
): PageAnswer {
  const { key, text, error, more } = given
  const { caller } = request.viewer
  const done = text === undefined ? DONE.get(request.query.get('done') ?? '') : undefined
  const body = html`<p class="crumbs"><a href="${CONSOLE}/account">Account</a></p>
<h1>Key ${key.name}</h1>
${done === undefined ? '' : note(done, 'good')}${error === undefined ? '' : note(error, 'bad')}
${facts([
  ['Key', html`<code>${key.hint}</code>`],
  ['State', keyState(key, request.now)],
  ['Made', time(key.createdAt)],
  ['Expires', time(key.expiresAt)],
  ['Revoked', key.revokedAt !== undefined && time(key.revokedAt)],
  ['Last used', time(key.lastUsedAt)],
])}
<h2>It permits to</h2>
${scopeList(key.scopes)}
${hasAll(caller, key.scopes) ? drawUses(request, { key, text, error }) : note(`${whyNot(caller, key)}. So you cannot see or change it here.`)}
${more}`
  return { kind: 'page', title: `Key ${key.name}`, body, ...(error && { status: 400 }) }
}

function drawUses(
  request: ViewedRequest,
  given: {
    readonly key: KeySummary
    readonly text: string | undefined
    readonly error: string | undefined
  },
): Html {
  const { key, text, error } = given
  const { formToken, now } = request
  const path = toKeyPath(key)
  if (!isInForce(key, now))
    return html`<p>A key that has ended cannot be brought back. <a href="${CONSOLE}/account">Make another</a></p>`
  return html`<h2>The key</h2>
${text === undefined ? postForm({ action: `${path}/show`, formToken, content: html`<button>Show the key</button>` }) : drawShown(request, { key, text })}
<h2>Put another in its place</h2>
<p>Makes a key of the same name that permits the same. This one goes on working for a while, so that nothing stops.</p>
${postForm({
  action: `${path}/rotate`,
  formToken,
  content: html`${field({ name: 'overlap', label: 'This key still works for', options: OVERLAPS, isRequired: true })}
<button class="second">Rotate the key</button>`,
})}
<h2>End it</h2>
<details${error === undefined ? '' : html` open`}><summary>Revoke the key</summary>
<p>Programs that still send it are refused at once. This cannot be undone.</p>
${postForm({
  action: `${path}/revoke`,
  formToken,
  content: html`<p><label><input type="checkbox" name="confirmed" value="yes" required> Revoke the key for good</label></p>
<button class="danger">Revoke the key</button>`,
})}</details>`
}

function drawShown(
  request: ViewedRequest,
  { key, text }: { readonly key: KeySummary; readonly text: string },
): Html {
  return html`<p>Keep it where only its programs can read it. Leaving this page hides it again.</p>
${copyable({ id: 'api-key', text })}
${key.scopes.includes('read') ? html`<h3>Try it</h3>${copyable({ id: 'try-key', text: toCurl(request, text) })}` : ''}
<p><a class="button second" href="${toKeyPath(key)}">Hide the key</a></p>`
}
