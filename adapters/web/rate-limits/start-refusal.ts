import type { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { note } from '../parts/text.ts'
import { RATE_LIMITS_PATH, toRunPath } from './paths.ts'

/** Explains why a test cannot start and what to do. */
export function renderRefusal(error: ServiceError, shownAtFields: ReadonlySet<string>): Html {
  const others = error.issues.filter(({ name }) => !shownAtFields.has(name))
  const help = renderHelp(error)
  return note(
    html`<p>${error.message}.</p>${others.length > 0 ? html`<ul>${others.slice(0, 20).map(({ name, message }) => html`<li><strong>${name}</strong> ${message}</li>`)}</ul>` : ''}${help ? html`<p>${help}</p>` : ''}`,
    'bad',
  )
}

function renderHelp({ code, extra, retryAfter }: ServiceError): Html | undefined {
  if (extra.is_stale) return html`Check the values and try again.`
  const run = Number(extra.run ?? 0)
  if (run > 0) {
    return html`Wait until <a href="${toRunPath({ id: run })}">run ${run}</a> has ended, or stop it.`
  }
  if (code === 'conflict') return html`A test takes a few minutes at most.`
  if (code === 'budget_exhausted') {
    return html`Reduce the number of requests, <a href="${RATE_LIMITS_PATH}">stop a queued test</a>, or try again in ${formatWait(retryAfter)}.`
  }
  if (code === 'too_many_requests') return html`Try again in ${formatWait(retryAfter)}.`
  return HELP[code]
}

const HELP: Readonly<Record<string, Html>> = {
  invalid_input: html`Correct the marked fields and try again.`,
  consent_missing: html`Follow the instructions under “Consent” and try again.`,
  no_server: html`Import the API description again with a base URL.`,
  call_not_permitted: html`An administrator can change the limits on the page of the key, or with the command <code>gateway policies set</code>.`,
  address_refused: html`The operator of this service must allow addresses in this network.`,
  origin_changed: html`Store the credential again to confirm the new address, or test without credentials.`,
  not_implemented: html`The operator of this service has disabled outgoing calls.`,
}

function formatWait(seconds = 60): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200
    ? `${Math.ceil(seconds / 60)} minutes`
    : `${Math.ceil(seconds / 3600)} hours`
}
