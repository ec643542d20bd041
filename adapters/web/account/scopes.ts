import { type Caller, SCOPES, type Scope } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { badge } from '../parts/text.ts'

/** What each scope permits, as people read it. */
const WORDS: Readonly<Record<Scope, string>> = {
  read: 'see everything that is the account’s, and the catalogue',
  call: 'call APIs through the gateway, with stored credentials',
  import: 'import descriptions, add vendors and agreements',
  ingest: 'store and remove scans',
  review: 'approve and refuse what scans found',
  benchmark: 'start and stop rate-limit tests',
  admin: 'remove APIs, limit keys, invite and remove users',
}

/** Scopes with what they permit. */
export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul>${scopes.map((scope) => html`<li><strong>${scope}</strong>: ${WORDS[scope]}</li>`)}</ul>`
}

/** Scopes in one line. */
export function scopeBadges(scopes: readonly Scope[]): Html {
  return html`<span class="badges">${scopes.map((scope) => badge(scope))}</span>`
}

/** Scopes to choose from: those that the caller has. */
export function scopeOptions(caller: Caller) {
  return SCOPES.filter((scope) => caller.scopes.has(scope)).map((scope) => ({
    value: scope,
    label: `${scope}: ${WORDS[scope]}`,
  }))
}

/** The scopes that a form names; what is none is left out. */
export function readScopes(values: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => values.includes(scope))
}

/** Whether a caller has all of these: nobody gives, or takes over, more than they have. */
export function hasAll(caller: Caller, scopes: readonly Scope[]): boolean {
  return scopes.every((scope) => caller.scopes.has(scope))
}
