import type { Agreement, Api } from '../../../core/catalogue/index.ts'
import type { CallInput, Contract } from '../../../core/contract.ts'
import { ServiceError } from '../../../core/index.ts'
import { AGREEMENT_KINDS } from '../../../core/shared/agreement-kinds.ts'
import { toSha256Hex } from '../../../core/shared/digests.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { NO_FORM } from '../forms.ts'
import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { type FormErrors, NO_ERRORS, toFormErrors } from '../parts/form-errors.ts'
import { formatNumber, note } from '../parts/text.ts'
import { formatKind, renderAgreementHistory, renderAgreementTable } from './agreements-section.ts'
import { APIS_PATH, toAgreementsPath, toApiPath } from './links.ts'

const PATH = '/apis/:id/agreements'

const common = { access: 'import', section: 'catalogue' } as const

type Body = CallInput<Contract['replaceAgreements']>['body']
type Entry = Body['agreements'][number]

/** A form to edit the manually added agreements of an API. */
export const agreementsPage: Page = {
  ...common,
  method: 'GET',
  path: PATH,
  handle: (request) => renderAgreementsPage(request),
}

/** Replaces the manually added agreements of an API by those of the form. */
export const agreementsForm: Page = {
  ...common,
  method: 'POST',
  path: PATH,
  async handle(request) {
    const { app, params, form } = request
    const api = await app.catalogue.getApi(params.id ?? '')
    const entered = await listManualAgreements(request, api)
    if (form.text('seen') !== (await computeDigest(entered))) {
      const message =
        'The agreements have changed since the page was loaded. Enter your changes again'
      return renderAgreementsPage(request, {
        errors: toFormErrors(new ServiceError('conflict', message), {}),
      })
    }
    const texts = await app.agreements.listTexts(api)
    const rows = [...entered.keys(), entered.length].filter(
      (row) => !isRemovedOrEmpty(request, { row, isNew: row === entered.length }),
    )
    const agreements = rows.map((row) =>
      readAgreement(request, { row, former: entered[row], texts }),
    )
    try {
      await request.call('replaceAgreements', { body: { api_id: api.encryptedId, agreements } })
    } catch (error) {
      const labels = Object.fromEntries(rows.flatMap((row) => createRowLabels(row, entered.length)))
      return renderAgreementsPage(request, {
        errors: toFormErrors(renameRowIssues(error, rows), labels),
        isKept: true,
      })
    }
    return { kind: 'redirect', to: `${toAgreementsPath(api)}?done=saved` }
  },
}

async function listManualAgreements(
  { app }: ViewedRequest,
  api: Api,
): Promise<readonly Agreement[]> {
  return (await app.agreements.list(api)).filter(({ source }) => source === 'entered')
}

/**
 * Identifies the agreements that a form shows. Submitting a form over other agreements would undo
 * another user's changes.
 */
function computeDigest(entered: readonly Agreement[]): Promise<string> {
  const rows = entered.map(({ kind, name, link, text }) => [kind, name, link, text?.digest ?? ''])
  return toSha256Hex(new TextEncoder().encode(JSON.stringify(rows)))
}

/** True if a row is marked for removal, or is the empty new one. */
function isRemovedOrEmpty(
  { form }: ViewedRequest,
  { row, isNew }: { readonly row: number; readonly isNew: boolean },
): boolean {
  if (!isNew) return form.text(`remove_${row}`) === 'yes'
  return form.text(`name_${row}`).trim() === '' && form.text(`link_${row}`).trim() === ''
}

/** Reads a row. The text of an agreement is retained unless its kind or link changes. */
function readAgreement(
  { form }: ViewedRequest,
  row: {
    readonly row: number
    readonly former: Agreement | undefined
    readonly texts: ReadonlyMap<string, string>
  },
): Entry {
  const { row: at, former, texts } = row
  const type = form.text(`type_${at}`)
  const link = form.text(`link_${at}`).trim()
  const name = form.text(`name_${at}`).trim() || formatKind(type)
  const entry = { agreement_name: name, agreement_link: link, ...(type === '' ? {} : { type }) }
  const facts = former?.kind === type && former.link === link ? former.text : undefined
  const text = facts && texts.get(facts.digest)
  if (!facts || text === undefined) return entry
  const { retrievedAt } = facts
  const retrieved_at = retrievedAt === undefined ? null : new Date(retrievedAt).toISOString()
  return { ...entry, text, retrieved_at }
}

/** Renames issues from members of the operation's list to fields of the form. */
function renameRowIssues(error: unknown, rows: readonly number[]): unknown {
  if (!(error instanceof ServiceError)) return error
  const issues = error.issues.map((issue) => {
    const [, at = '', member = ''] =
      /^agreements\.(\d+)\.(?:agreement_)?(\w+)$/.exec(issue.name) ?? []
    const row = rows[Number(at)]
    return at === '' || row === undefined ? issue : { ...issue, name: `${member}_${row}` }
  })
  return new ServiceError(error.code, error.message, { issues })
}

function createRowLabels(row: number, entered: number): readonly (readonly [string, string])[] {
  const where = row === entered ? 'of the new agreement' : `of agreement ${row + 1}`
  return [
    [`type_${row}`, `Kind ${where}`],
    [`name_${row}`, `Name ${where}`],
    [`link_${row}`, `Link ${where}`],
  ]
}

async function renderAgreementsPage(
  request: ViewedRequest,
  sent: { readonly errors?: FormErrors; readonly isKept?: boolean } = {},
): Promise<PageResult> {
  const { app, params, query } = request
  const { errors, isKept = false } = sent
  const api = await app.catalogue.getApi(params.id ?? '')
  const all = await app.agreements.list(api)
  const entered = all.filter(({ source }) => source === 'entered')
  const imported = all.filter(({ source }) => source === 'imported')
  const isDone = !errors && query.get('done') === 'saved'
  const body = html`<p class="crumbs"><a href="${APIS_PATH}">Catalogue</a> › <a href="${toApiPath(api)}#terms">${api.name}</a></p>
<h1>Agreements of ${api.name}</h1>
<p class="lead">Add terms, licences and other agreements that the description does not contain. They are visible to all accounts.</p>
${errors?.summary}${isDone ? note(html`Agreements saved. <a href="${toApiPath(api)}#terms">Show the terms of the API</a>`, 'good') : ''}
${imported.length > 0 ? html`<h2>From the description</h2><p>Imports update these agreements. They cannot be changed here.</p>${renderAgreementTable(imported, 'From the description')}` : ''}
<h2>Added agreements</h2>
${postForm({
  action: toAgreementsPath(api),
  formToken: request.formToken,
  content: html`<input type="hidden" name="seen" value="${await computeDigest(entered)}">
${[...entered, undefined].map((agreement, row) => renderAgreementRow(request, { agreement, row, isKept, errors: errors ?? NO_ERRORS }))}
<button>Save agreements</button>`,
})}
<p class="soft">To add many at once, or the text of an agreement, use the command line: <code>${request.command} agreements import FILE</code>, <code>${request.command} agreements set --help</code></p>
${await renderAgreementHistory(request, api)}`
  const title = `Agreements of ${api.name}`
  return { kind: 'page', title, body, status: errors?.status ?? 200 }
}

function renderAgreementRow(
  request: ViewedRequest,
  shown: {
    /** Undefined for the new row. */
    readonly agreement: Agreement | undefined
    readonly row: number
    /** True if the fields contain the submitted values. */
    readonly isKept: boolean
    readonly errors: FormErrors
  },
): Html {
  const { agreement, row, isKept, errors } = shown
  const form = isKept ? request.form : NO_FORM
  const value = (name: string, stored: string | undefined) =>
    isKept ? form.text(`${name}_${row}`) : (stored ?? '')
  const kinds = [...new Set([...AGREEMENT_KINDS, ...(agreement ? [agreement.kind] : [])])]
  const text = agreement?.text
  return html`<fieldset><legend>${agreement ? `Agreement ${row + 1}` : 'New agreement'}</legend>
${field({
  name: `type_${row}`,
  label: 'Kind',
  value: value('type', agreement?.kind),
  error: errors.get(`type_${row}`),
  options: [
    { value: '', label: 'Derive from the name' },
    ...kinds.map((kind) => ({ value: kind, label: formatKind(kind) })),
  ],
})}
${field({
  name: `name_${row}`,
  label: 'Name',
  value: value('name', agreement?.name),
  error: errors.get(`name_${row}`),
  hint: 'For example “Apache 2.0”. If empty, the kind is used.',
  more: html`maxlength="300"`,
})}
${field({
  name: `link_${row}`,
  label: 'Link',
  type: 'url',
  isRequired: agreement !== undefined,
  value: value('link', agreement?.link),
  error: errors.get(`link_${row}`),
  hint:
    text &&
    `Its text (${formatNumber(text.size)} bytes) is stored. Changing the kind or link removes it.`,
  more: html`maxlength="2000"`,
})}
${agreement ? html`<p><label><input type="checkbox" name="remove_${row}" value="yes"${form.text(`remove_${row}`) === 'yes' ? html` checked` : ''}> Remove this agreement</label></p>` : ''}</fieldset>`
}
