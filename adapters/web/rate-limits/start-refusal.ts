import type { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { note } from '../parts/text.ts'
import { RATE_LIMITS_PATH, toRunPath } from './paths.ts'

/** Says which condition was not met, and what to do. */
export function refusalNote(error: ServiceError, shownAtFields: ReadonlySet<string>): Html {
  const others = error.issues.filter(({ name }) => !shownAtFields.has(name))
  const help = toHelp(error)
  return note(
    html`<p>${error.message}.</p>${others.length > 0 ? html`<ul>${others.slice(0, 20).map(({ name, message }) => html`<li><strong>${name}</strong> ${message}</li>`)}</ul>` : ''}${help ? html`<p>${help}</p>` : ''}`,
    'bad',
  )
}

function toHelp({ code, extra, retryAfter }: ServiceError): Html | undefined {
  if (extra.is_stale) return html`Look at the values and start again.`
  const run = Number(extra.run ?? 0)
  if (run > 0) {
    return html`Wait until <a href="${toRunPath({ id: run })}">run ${run}</a> has ended, or stop it there.`
  }
  if (code === 'conflict')
    return html`Try again when that test has ended: it takes minutes at most.`
  if (code === 'budget_exhausted') {
    return html`Ask for fewer requests, or <a href="${RATE_LIMITS_PATH}">stop a test</a> that waits; else try again in ${toWords(retryAfter)}.`
  }
  if (code === 'too_many_requests') return html`Try again in ${toWords(retryAfter)}.`
  return HELP[code]
}

const HELP: Readonly<Record<string, Html>> = {
  invalid_input: html`Correct the marked fields and start again.`,
  consent_missing: html`Have the host say so, as stands under “Consent”, and start again.`,
  no_server: html`Import its description again with a base URL.`,
  call_not_permitted: html`An administrator changes the limits on the page of the key, or with <code>gateway policies set</code> on the command line.`,
  address_refused: html`Addresses within this network are tested only where whoever runs the service allows them.`,
  origin_changed: html`Store the credential again to confirm the new address, or leave credentials out.`,
  not_implemented: html`Whoever runs this service has switched outgoing calls off.`,
}

function toWords(seconds = 60): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200
    ? `${Math.ceil(seconds / 60)} minutes`
    : `${Math.ceil(seconds / 3600)} hours`
}
