import type { KeySummary } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toKeyPath } from '../account/account-keys.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { badge, formatNumber, timeElement } from '../parts/text.ts'

const DAY_MS = 86_400_000
/** Time before its expiry from which a key is listed. */
const SOON_MS = 14 * DAY_MS
const MAX_KEYS = 5
const REFUSALS_PAGE = { page: 1, size: 100 }

/** Lists keys that expire soon, and the number of keys with refused requests in the last day. */
export async function keyItems(request: ViewedRequest): Promise<readonly Html[]> {
  const { app, viewer, now, session } = request
  const { account } = viewer.caller
  const [keys, refusals] = await Promise.all([
    app.accounts.listKeys(account),
    app.accounts.listRefusals(account, REFUSALS_PAGE),
  ])
  // If the host authenticates users, there are no pages of keys.
  const hasPages = session !== undefined
  const ending = keys.filter(({ revokedAt, expiresAt }) => {
    if (revokedAt !== undefined || expiresAt === undefined) return false
    return expiresAt > now && expiresAt - now < SOON_MS
  })
  ending.sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
  const refused = refusals.items.filter(({ lastAt }) => now - lastAt < DAY_MS)
  const refusedKeys = new Set(refused.map(({ keyId }) => keyId)).size
  const link = hasPages
    ? html`<a href="${CONSOLE}/account/refused">Requests with ${formatKeyCount(refusedKeys)}</a>`
    : html`Requests with ${formatKeyCount(refusedKeys)}`
  return [
    ...ending.slice(0, MAX_KEYS).map((key) => expiringKeyItem(key, hasPages)),
    ...(refusedKeys > 0
      ? [html`<li>${badge('Refused', 'warn')} ${link} were refused in the last day.</li>\n`]
      : []),
  ]
}

function expiringKeyItem(key: KeySummary, hasPages: boolean): Html {
  const name = hasPages ? html`<a href="${toKeyPath(key)}">${key.name}</a>` : key.name
  return html`<li>${badge('Expires soon', 'warn')} API key ${name} (<code>${key.hint}</code>) expires on ${timeElement(key.expiresAt)} UTC. Replace it before then.</li>\n`
}

function formatKeyCount(keys: number): string {
  return `${formatNumber(keys)} ${keys === 1 ? 'key' : 'keys'}`
}
