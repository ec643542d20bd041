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
import { badge, copyableText, factList, formatNumber, note, timeElement } from '../parts/text.ts'

/** Renders the requirements of a test: consent of the host and remaining budgets. */
export async function renderStartConditions(
  request: ViewedRequest,
  target: TestTarget,
): Promise<Html> {
  const { rateLimits } = request.app
  const { account, keyId } = request.viewer.caller
  const [left, consent] = await Promise.all([
    orErrorMessage(() => rateLimits.leftToday({ account, keyId }, target)),
    orErrorMessage(() => rateLimits.consent(account, target)),
  ])
  return html`<h2>Limits of a test</h2>
<p>${formatNumber(DEFAULT_BUDGET.requests)} requests, ${DEFAULT_BUDGET.rate} per second, with bodies of at most ${formatNumber(DEFAULT_BUDGET.payloadBytes)} bytes. The form below accepts up to ${formatNumber(MAX_BUDGET.requests)} requests, ${MAX_BUDGET.rate} per second and ${formatNumber(MAX_BUDGET.payloadBytes)} bytes.</p>
${typeof left === 'string' ? '' : renderRemainingBudgets(left)}
<h2>Consent</h2>
${renderConsent(consent)}`
}

async function orErrorMessage<T>(ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'internal') return error.message
    throw error
  }
}

function renderRemainingBudgets({
  host,
  ofAccount,
  ofHost,
  ofKey,
  reserved,
  until,
}: LeftToday): Html {
  const words = ({ left, budget }: LeftToday['ofHost']) =>
    html`${left === 0 ? badge('None', 'bad') : ''} ${formatNumber(left)} of ${formatNumber(budget)}`
  return html`<h3>Remaining today</h3>
${factList([
  [
    'Your account',
    html`${words(ofAccount)}${reserved > 0 ? html` <span class="soft">(${formatNumber(reserved)} reserved for open tests)</span>` : ''}`,
  ],
  [host, html`${words(ofHost)} <span class="soft">shared by all accounts</span>`],
  ['Your key', ofKey ? words(ofKey) : html`<span class="soft">no budget</span>`],
  ['Reset', html`${timeElement(until)} UTC`],
])}`
}

function renderConsent(consent: HostConsent | string): Html {
  if (typeof consent === 'string') return note(html`Cannot check the consent: ${consent}`, 'warn')
  if (consent.isGiven) {
    const by = consent.by === 'operator' ? 'operator' : 'account’s token'
    return html`<p>${badge('Granted', 'good')} ${consent.host} may be tested (consent: ${by}).</p>`
  }
  return html`<p>${badge('Missing', 'bad')} ${consent.host} cannot be tested: ${consent.missing}.</p>
${factList([['File on the host', html`<code>${consent.tokenUrl}</code>`]])}
<p>Content of the file: the account’s token. Treat it as a secret.</p>
${copyableText({ id: 'token', text: consent.token })}`
}
