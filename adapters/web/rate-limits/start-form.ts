import {
  DEFAULT_BUDGET,
  type DescribedTarget,
  MAX_BUDGET,
  type ServiceError,
} from '../../../core/index.ts'
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
import { formatNumber } from '../parts/text.ts'
import { endpointLink, type Tested } from './list-page.ts'
import { START_PATH } from './paths.ts'
import { renderRefusal } from './start-refusal.ts'

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
