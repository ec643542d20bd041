import { type Caller, SCOPES, type Scope } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { badge } from '../parts/text.ts'

/** Description of each scope for users. */
const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  read: 'view the catalogue and all data of the account',
  call: 'call APIs through the gateway, with stored credentials',
  import: 'import descriptions, add vendors and agreements',
  ingest: 'store and remove scans',
  review: 'approve and reject endpoints found by scans',
  benchmark: 'start and stop rate-limit tests',
  admin: 'remove APIs, limit keys, invite and remove users',
}

/** Lists scopes with their descriptions. */
export function renderScopeList(scopes: readonly Scope[]): Html {
  return html`<ul>${scopes.map((scope) => html`<li><strong>${scope}</strong>: ${SCOPE_DESCRIPTIONS[scope]}</li>`)}</ul>`
}

/** Renders scopes in one line. */
export function renderScopeBadges(scopes: readonly Scope[]): Html {
  return html`<span class="badges">${scopes.map((scope) => badge(scope))}</span>`
}

/** Returns the selectable scopes: those of the caller. */
export function scopeOptions(caller: Caller) {
  return SCOPES.filter((scope) => caller.scopes.has(scope)).map((scope) => ({
    value: scope,
    label: `${scope}: ${SCOPE_DESCRIPTIONS[scope]}`,
  }))
}

/** Parses the scopes of a form; unknown values are ignored. */
export function readScopes(values: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => values.includes(scope))
}

/**
 * True if a caller has all of these scopes: users can grant or take over only scopes of their own.
 */
export function hasAllScopes(caller: Caller, scopes: readonly Scope[]): boolean {
  return scopes.every((scope) => caller.scopes.has(scope))
}
