import {
  DEFAULT_BUDGET,
  type DescribedTarget,
  MAX_BUDGET,
  type ServiceError,
} from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import {
  callFields,
  canKeep,
  serverChoice,
  toFirstText,
  toFirstValues,
  toName,
  toShape,
} from '../catalogue/try-fields.ts'
import type { ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { count } from '../parts/text.ts'
import { endpointLink, type Tested } from './list-page.ts'
import { START_PATH } from './paths.ts'
import { refusalNote } from './start-refusal.ts'

/** Numbers of the form, and how the service calls what is wrong with them. */
const NUMBERS = [
  {
    name: 'requests',
    label: 'Requests',
    hint: `Of all stages together; ${count(DEFAULT_BUDGET.requests)} when empty, at most ${count(MAX_BUDGET.requests)}.`,
  },
  {
    name: 'rate',
    label: 'Requests a second',
    hint: `${DEFAULT_BUDGET.rate} when empty, at most ${MAX_BUDGET.rate}.`,
  },
  {
    name: 'payload_bytes',
    label: 'Bytes of the largest body',
    hint: `${count(DEFAULT_BUDGET.payloadBytes)} when empty, at most ${count(MAX_BUDGET.payloadBytes)}.`,
  },
] as const

/** The form for a test of an endpoint, filled in as it was sent. */
export function startForm(
  request: ViewedRequest,
  given: {
    readonly tested: Tested
    readonly target: DescribedTarget
    readonly conditions: Html
    readonly error?: ServiceError | undefined
    /** It was sent: what it holds is shown again. */
    readonly isSent: boolean
  },
): Html {
  const { tested, target, conditions, error, isSent } = given
  const { endpoint } = tested
  const { form } = request
  const issues = error?.issues ?? []
  const first = toFirstValues(target)
  const texts = (key: string, index: number) =>
    isSent ? form.text(toName(index)) : toFirstText(first, key)
  const method = endpoint.method.toUpperCase()
  const isUnsafe = !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const shown = target.fields.filter((each) => each.refusal === undefined && canKeep(each))
  return html`<p class="lead">${endpointLink(tested)}</p>
${error ? refusalNote(error, new Set([...NUMBERS.map(({ name }) => name), ...shown.flatMap(({ key, name }) => [key, name])])) : ''}
${conditions}
<h2>The test</h2>
${postForm({
  action: START_PATH,
  formToken: request.formToken,
  content: html`<input type="hidden" name="endpoint" value="${endpoint.shortId}"><input type="hidden" name="shape" value="${toShape(target)}">
${serverChoice(target, isSent ? form.text('server') : undefined)}
${callFields(target, { texts, issues, isKept: true })}
${shown.length < target.fields.length ? html`<p class="hint">Secrets and files are not given here: a test keeps its values.</p>` : ''}
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
  legend: 'More',
  options: [
    { value: 'credentials', label: 'Send the credentials that the account has stored' },
    ...(isUnsafe
      ? [{ value: 'unsafe', label: `I know that each ${method} may change something` }]
      : []),
  ],
  chosen: new Set(form.all('options')),
})}
<p class="row"><button name="action" value="start">Start the test</button> <button class="second" name="action" value="check" formnovalidate>Check consent and budgets</button></p>`,
})}`
}
