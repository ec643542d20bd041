import {
  DEFAULT_BUDGET,
  type HostConsent,
  type LeftToday,
  MAX_BUDGET,
  ServiceError,
  type TestTarget,
} from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { badge, copyable, count, facts, note, time } from '../parts/text.ts'

/** What has to be so that a test may start: consent of the host, and budgets that have some left. */
export async function startConditions(request: ViewedRequest, target: TestTarget): Promise<Html> {
  const { rateLimits } = request.app
  const { account, keyId } = request.viewer.caller
  const [left, consent] = await Promise.all([
    orWhyNot(() => rateLimits.leftToday({ account, keyId }, target)),
    orWhyNot(() => rateLimits.consent(account, target)),
  ])
  return html`<h2>What it sends at most</h2>
<p>${count(DEFAULT_BUDGET.requests)} requests, ${DEFAULT_BUDGET.rate} a second, with bodies of ${count(DEFAULT_BUDGET.payloadBytes)} bytes at most; below you may ask for less or for more, up to ${count(MAX_BUDGET.requests)} requests, ${MAX_BUDGET.rate} a second and ${count(MAX_BUDGET.payloadBytes)} bytes.</p>
${typeof left === 'string' ? '' : toLeft(left)}
<h2>Consent</h2>
${toConsent(consent)}`
}

async function orWhyNot<T>(ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'internal') return error.message
    throw error
  }
}

function toLeft({ host, ofAccount, ofHost, ofKey, reserved, until }: LeftToday): Html {
  const words = ({ left, budget }: LeftToday['ofHost']) =>
    html`${left === 0 ? badge('None', 'bad') : ''} ${count(left)} of ${count(budget)}`
  return html`<h3>Left today</h3>
${facts([
  [
    'Your account',
    html`${words(ofAccount)}${reserved > 0 ? html` <span class="soft">(${count(reserved)} reserved for tests that have not ended)</span>` : ''}`,
  ],
  [host, html`${words(ofHost)} <span class="soft">for all accounts together</span>`],
  ['Your key', ofKey ? words(ofKey) : html`<span class="soft">has no budget of its own</span>`],
  ['They begin anew', html`${time(until)} UTC`],
])}`
}

function toConsent(consent: HostConsent | string): Html {
  if (typeof consent === 'string') return note(html`Cannot be told yet: ${consent}`, 'warn')
  if (consent.isGiven) {
    const by = consent.by === 'operator' ? 'the operator' : 'the account’s token'
    return html`<p>${badge('Given', 'good')} ${consent.host} may be tested, by ${by}.</p>`
  }
  return html`<p>${badge('Missing', 'bad')} ${consent.host} may not be tested: ${consent.missing}.</p>
${facts([['File at the host', html`<code>${consent.tokenUrl}</code>`]])}
<p>The account’s token, a secret, as its one line:</p>
${copyable({ id: 'token', text: consent.token })}`
}
