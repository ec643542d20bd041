import type { KeySummary } from '../../../core/accounts/index.ts'
import type { CallInput, CallOutput, Contract } from '../../../core/contract.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { findApis } from '../catalogue/find-apis.ts'
import { toApiPath } from '../catalogue/links.ts'
import { NO_FORM } from '../forms.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { type FormErrors, toFieldError, toFormErrors } from '../parts/form-errors.ts'
import { factList, formatNumber, note } from '../parts/text.ts'
import { findKey, toKeyPath } from './account-keys.ts'

type Policy = CallOutput<Contract['listPolicies']>['policies'][number]

const common = { access: 'admin', section: 'account', maxBodyBytes: 256 * 1024 } as const

const LABELS: Readonly<Record<string, string>> = {
  vendors: 'The list of vendors',
  api_ids: 'The list of APIs',
  methods: 'The list of methods',
  daily_budget: 'The number of calls per day',
}

/** Selectable methods; a policy may contain others. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Shows the limits of a key as a form. */
export const policyPage: Page = {
  ...common,
  method: 'GET',
  path: '/account/keys/:id/policy',
  handle: async (request) => renderPolicyPage(request, await findKey(request)),
}

/** Replaces the limits of a key. */
export const policyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/policy',
  async handle(request) {
    const key = await findKey(request)
    try {
      await request.call('putPolicy', { body: readPolicy(request, key) })
    } catch (error) {
      return renderPolicyPage(request, key, toFormErrors(error, LABELS))
    }
    return { kind: 'redirect', to: `${toKeyPath(key)}?done=limited` }
  },
}

/** Removes the limits of a key, after confirmation. */
export const removePolicyForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/keys/:id/policy/remove',
  async handle(request) {
    const key = await findKey(request)
    if (request.form.text('confirmed') !== 'yes') {
      const error = new ServiceError('invalid_input', 'Tick the box to remove the limits.')
      return renderPolicyPage(request, key, toFormErrors(error, {}))
    }
    await request.call('removePolicy', { key_id: key.id })
    return { kind: 'redirect', to: `${toKeyPath(key)}?done=unlimited` }
  },
}

/** Renders the limits on the page of a key; empty if the viewer may not see them. */
export async function renderPolicySection(request: ViewedRequest, key: KeySummary): Promise<Html> {
  if (!request.viewer.caller.scopes.has('admin')) return html``
  const policy = await findPolicy(request, key)
  const path = toPolicyPath(key)
  const link = html`<a href="${path}">${policy ? 'Edit or remove limits' : 'Add limits'}</a>`
  const words = !key.scopes.includes('call')
    ? html`<p>Without the scope <code>call</code>, the key cannot call APIs.${policy ? html` ${link}` : ''}</p>`
    : policy
      ? html`<p>${link}</p>`
      : html`<p>No limits: the key may call every API through the gateway. ${link}</p>`
  return html`<h2>Call limits</h2>
${policy ? await renderPolicy(request, policy) : ''}${words}`
}

async function findPolicy(request: ViewedRequest, key: KeySummary): Promise<Policy | undefined> {
  const { policies } = await request.call('listPolicies', {})
  return policies.find(({ key_id }) => key_id === key.id)
}

function toPolicyPath(key: KeySummary): string {
  return `${toKeyPath(key)}/policy`
}

async function renderPolicy(request: ViewedRequest, policy: Policy): Promise<Html> {
  const { vendors, api_ids, methods, daily_budget } = policy
  const apis = await findApis(request, api_ids ?? [])
  const named = (api_ids ?? []).map((id) => {
    const api = apis.get(id)
    return html`<div>${api ? html`<a href="${toApiPath(api)}">${api.name}</a>` : 'a removed API'}</div>`
  })
  const isAny = vendors === null && api_ids === null
  return factList([
    ['APIs', isAny ? 'any' : permitsNoApi(policy) && 'none'],
    [
      'All APIs of',
      vendors !== null && vendors.length > 0 && vendors.map((name) => html`<div>${name}</div>`),
    ],
    ['Single APIs', named.length > 0 && named],
    ['Methods', methods === null ? 'any' : methods.join(', ') || 'none'],
    ['Calls per day', daily_budget === null ? 'unlimited' : formatNumber(daily_budget)],
  ])
}

/** True if an empty list of the policy blocks every call; in the form, empty means unlimited. */
function permitsNothing(policy: Policy): boolean {
  return permitsNoApi(policy) || policy.methods?.length === 0
}

function permitsNoApi({ vendors, api_ids }: Policy): boolean {
  const isLimited = vendors !== null || api_ids !== null
  return isLimited && (vendors ?? []).length === 0 && (api_ids ?? []).length === 0
}

async function renderPolicyPage(
  request: ViewedRequest,
  key: KeySummary,
  errors?: FormErrors,
): Promise<PageResult> {
  const policy = await findPolicy(request, key)
  const path = toPolicyPath(key)
  const { formToken } = request
  const body = html`<p class="crumbs"><a href="${CONSOLE}/account">Account</a> › <a href="${toKeyPath(key)}">${key.name}</a></p>
<h1>Limits of the key ${key.name}</h1>
<p class="lead">These limits apply to calls through the gateway with this key. An empty list sets no limit.</p>
${errors?.summary}
${policy && permitsNothing(policy) ? note('The current policy has an empty list and blocks every call. The form shows this as 0 calls per day.', 'warn') : ''}
${postForm({ action: path, formToken, content: await renderPolicyFields(request, { policy, errors }) })}
${
  policy
    ? html`<h2>Removal</h2>
<details><summary>Remove the limits</summary>
<p>The key may then call every API through the gateway.</p>
${postForm({
  action: `${path}/remove`,
  formToken,
  content: html`<p><label><input type="checkbox" name="confirmed" value="yes" required> Remove all limits of the key</label></p>
<button class="danger">Remove limits</button>`,
})}</details>`
    : ''
}
<p class="soft">On the command line: <code>${request.command} gateway policies set --help</code></p>`
  const title = `Limits of the key ${key.name}`
  return { kind: 'page', title, body, status: errors?.status ?? 200 }
}

async function renderPolicyFields(
  request: ViewedRequest,
  {
    policy,
    errors,
  }: { readonly policy: Policy | undefined; readonly errors: FormErrors | undefined },
): Promise<Html> {
  const isSent = errors !== undefined && request.form.names.includes('vendors')
  const form = isSent ? request.form : NO_FORM
  const apis = await findApis(request, policy?.api_ids ?? [])
  const ids = (policy?.api_ids ?? []).map((id) => apis.get(id)?.encryptedId ?? String(id))
  const budget = policy && permitsNothing(policy) ? 0 : policy?.daily_budget
  const value = (name: string, stored: string) => (isSent ? form.text(name) : stored)
  const lines = (
    name: 'vendors' | 'api_ids',
    shown: { readonly label: string; readonly stored: readonly string[]; readonly hint: string },
  ) =>
    field({
      name,
      label: shown.label,
      isLong: true,
      value: value(name, shown.stored.join('\n')),
      error: errors?.get(name),
      hint: shown.hint,
      more: html`rows="4" spellcheck="false"`,
    })
  return html`${lines('vendors', {
    label: 'Vendors',
    stored: policy?.vendors ?? [],
    hint: 'Names, one per line. The key may call all APIs of these vendors.',
  })}
${lines('api_ids', {
  label: 'APIs',
  stored: ids,
  hint: 'IDs, one per line, as shown on the page of each API. The key may also call these APIs.',
})}
${checkboxes({
  name: 'methods',
  legend: 'Methods (all if none is ticked)',
  options: [...new Set([...METHODS, ...(policy?.methods ?? [])])].map((method) => ({
    value: method,
    label: method,
  })),
  chosen: new Set(isSent ? form.all('methods') : (policy?.methods ?? [])),
  error: errors?.get('methods'),
})}
${field({
  name: 'daily_budget',
  label: 'Calls per day',
  value: value('daily_budget', budget === null || budget === undefined ? '' : String(budget)),
  error: errors?.get('daily_budget'),
  hint: 'Resets at midnight UTC. 0 blocks all calls, empty means unlimited.',
  more: html`inputmode="numeric"`,
})}
<button>Save limits</button>`
}

function readPolicy(
  { form }: ViewedRequest,
  key: KeySummary,
): CallInput<Contract['putPolicy']>['body'] {
  const [vendors, apiIds] = [readLines(form.text('vendors')), readLines(form.text('api_ids'))]
  const methods = form.all('methods')
  const budget = form.text('daily_budget').trim()
  if (!/^\d{0,10}$/.test(budget)) throw toFieldError('daily_budget', 'must be a whole number')
  return {
    key_id: key.id,
    vendors: vendors.length > 0 ? vendors : null,
    api_ids: apiIds.length > 0 ? apiIds : null,
    methods: methods.length > 0 ? [...methods] : null,
    daily_budget: budget === '' ? null : Number(budget),
  }
}

function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
