import type { DescribedTarget } from '../../../core/gateway/index.ts'
import type { ServiceError } from '../../../core/index.ts'
import { DEFAULT_BUDGET, MAX_BUDGET } from '../../../core/rate-limits/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import {
  canStore,
  computeShape,
  getInitialText,
  getInitialValues,
  renderCallFields,
  renderServerChoice,
  toControlName,
} from '../catalogue/try-fields.ts'
import type { ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { formatNumber, note } from '../parts/text.ts'
import { endpointLink, type Tested } from './list-page.ts'
import { RATE_LIMITS_PATH, START_PATH, toRunPath } from './paths.ts'

/** Number fields, by their parameter names. */
const NUMBERS = [
  {
    name: 'requests',
    label: 'Requests',
    hint: `Total of all stages. Default: ${formatNumber(DEFAULT_BUDGET.requests)}, maximum: ${formatNumber(MAX_BUDGET.requests)}.`,
  },
  {
    name: 'rate',
    label: 'Requests per second',
    hint: `Default: ${DEFAULT_BUDGET.rate}, maximum: ${MAX_BUDGET.rate}.`,
  },
  {
    name: 'payload_bytes',
    label: 'Largest body in bytes',
    hint: `Default: ${formatNumber(DEFAULT_BUDGET.payloadBytes)}, maximum: ${formatNumber(MAX_BUDGET.payloadBytes)}.`,
  },
] as const

/** Renders the start form of an endpoint, with the submitted values if there are any. */
export function renderStartForm(
  request: ViewedRequest,
  content: {
    readonly tested: Tested
    readonly target: DescribedTarget
    readonly conditions: Html
    readonly error?: ServiceError | undefined
    /** Show the submitted values. */
    readonly isSent: boolean
  },
): Html {
  const { tested, target, conditions, error, isSent } = content
  const { endpoint } = tested
  const { form } = request
  const issues = error?.issues ?? []
  const first = getInitialValues(target)
  const texts = (key: string, index: number) =>
    isSent ? form.text(toControlName(index)) : getInitialText(first, key)
  const method = endpoint.method.toUpperCase()
  const isUnsafe = !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const shown = target.fields.filter((each) => each.refusal === undefined && canStore(each))
  return html`<p class="lead">${endpointLink(tested)}</p>
${error ? renderRefusal(error, new Set([...NUMBERS.map(({ name }) => name), ...shown.flatMap(({ key, name }) => [key, name])])) : ''}
${conditions}
<h2>Test</h2>
${postForm({
  action: START_PATH,
  formToken: request.formToken,
  content: html`<input type="hidden" name="endpoint" value="${endpoint.shortId}"><input type="hidden" name="shape" value="${computeShape(target)}">
${renderServerChoice(target, isSent ? form.text('server') : undefined)}
${renderCallFields(target, { texts, issues, isStored: true })}
${shown.length < target.fields.length ? html`<p class="hint">Secrets and files are omitted, because the values of a test are stored.</p>` : ''}
${NUMBERS.map(({ name, label, hint }) =>
  field({
    name,
    label,
    type: 'number',
    value: form.text(name),
    hint,
    error: issues.find((issue) => issue.name === name)?.message,
    more: html`min="0"`,
  }),
)}
${checkboxes({
  name: 'options',
  legend: 'Options',
  options: [
    { value: 'credentials', label: 'Send the account’s stored credentials' },
    ...(isUnsafe
      ? [{ value: 'unsafe', label: `I understand that every ${method} request may change data` }]
      : []),
  ],
  chosen: new Set(form.all('options')),
})}
<p class="row"><button name="action" value="start">Start the test</button> <button class="second" name="action" value="check" formnovalidate>Check consent and budgets</button></p>`,
})}`
}

/** Explains why a test cannot start and what to do. */
function renderRefusal(error: ServiceError, shownAtFields: ReadonlySet<string>): Html {
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
