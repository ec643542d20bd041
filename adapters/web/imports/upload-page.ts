import { CATEGORIES } from '../../../core/catalogue/index.ts'
import type { UploadedFile } from '../../../core/http/operation.ts'
import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import { NO_FORM } from '../forms.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { checkboxes, errorSummary, field, postForm } from '../parts/form.ts'
import { IMPORTS_PATH, toImportPath } from './paths.ts'

/** Shows a form to import descriptions. */
export function handleUploadPage(request: ViewedRequest): Promise<PageResult> {
  return renderUploadForm(request)
}

/** Maximum number of files per form. */
const MAX_FILES = 200

/** Imports the submitted files or pasted text. */
export async function handleUpload(request: ViewedRequest): Promise<PageResult> {
  const { form } = request
  const text = form.text('text')
  const files = form.files('file')
  const [file] = files
  try {
    if (!file && text.trim() === '')
      throw createFieldError('file', 'Choose a file, or paste the description')
    if (file && text.trim() !== '')
      throw createFieldError('text', 'Choose a file or paste a text, not both')
    if (files.length > MAX_FILES)
      throw createFieldError('file', `Choose at most ${MAX_FILES} files at a time`)
    if (files.length > 1) return await importAll(request, files)
    const { importId } = await importOne(request, file ?? new TextEncoder().encode(text))
    const to = importId === undefined ? IMPORTS_PATH : toImportPath({ id: importId })
    return { kind: 'redirect', to: `${to}?done=imported` }
  } catch (error) {
    if (!isUserError(error)) throw error
    return renderUploadForm(request, error)
  }
}

/** Imports files one after another, then redirects to the list, which shows the results. */
async function importAll(
  request: ViewedRequest,
  files: readonly UploadedFile[],
): Promise<PageResult> {
  let failed = 0
  for (const file of files) {
    try {
      await importOne(request, file)
    } catch (error) {
      if (!isUserError(error)) throw error
      failed += 1
    }
  }
  return { kind: 'redirect', to: `${IMPORTS_PATH}?done=${failed === 0 ? 'all' : 'some'}` }
}

function importOne(
  { app, form, viewer, signal }: ViewedRequest,
  fileOrText: UploadedFile | Uint8Array,
) {
  const isTicked = (name: string) => form.all('options').includes(name)
  const file = fileOrText instanceof Uint8Array ? { bytes: fileOrText } : fileOrText
  return app.imports.importDescription({
    bytes: file.bytes,
    ...('filename' in file ? { mediaType: file.mediaType, fileName: file.filename } : {}),
    vendorName: form.text('vendor').trim() || undefined,
    categoryName: form.text('category') || undefined,
    createVendor: isTicked('create'),
    baseUrl: form.text('base_url').trim() || undefined,
    isPublic: !isTicked('private'),
    by: viewer.caller.account,
    signal,
  })
}

function isUserError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && PROBLEM_TYPES[error.code].status < 500
}

function createFieldError(name: string, message: string): ServiceError {
  return new ServiceError('invalid_input', message, { issues: [{ in: 'form', name, message }] })
}

async function renderUploadForm(request: ViewedRequest, error?: ServiceError): Promise<PageResult> {
  const form = error ? request.form : NO_FORM
  // Links on other pages prefill the vendor and the base URL.
  const vendorAsked = error ? '' : (request.query.get('vendor') ?? '').slice(0, 200)
  const urlAsked = error ? '' : (request.query.get('base_url') ?? '').slice(0, 2000)
  const wrong = (name: string) => error?.issues.find((issue) => issue.name === name)?.message
  const options = new Set(error ? form.all('options') : ['create'])
  const content = html`<fieldset><legend>Description (required: files or text)</legend>
${field({
  name: 'file',
  label: 'Files',
  type: 'file',
  isOneOf: true,
  error: wrong('file'),
  hint: `Swagger 2.0, OpenAPI 3.0 to 3.2, or the card of an MCP server or A2A agent, JSON or YAML; up to ${MAX_FILES} at a time. The settings below apply to all of them. Large files take some seconds.`,
  more: html`multiple accept=".json,.yaml,.yml,application/json,application/yaml"`,
})}
${field({ name: 'text', label: 'Or paste the description', isLong: true, isOneOf: true, value: form.text('text'), error: wrong('text'), more: html`rows="8" spellcheck="false"` })}
</fieldset>
${field({
  name: 'vendor',
  label: 'Vendor',
  value: form.text('vendor') || vendorAsked,
  error: wrong('vendor'),
  hint: 'Provider of the API. If empty, the vendor in the description is used, else the domain of its server.',
  more: html`maxlength="200" list="vendors" autocomplete="off"`,
})}
<datalist id="vendors">${(await listVendors(request)).map((name) => html`<option value="${name}"></option>`)}</datalist>
${field({
  name: 'category',
  label: 'Category',
  value: form.text('category'),
  error: wrong('category'),
  options: [
    { value: '', label: 'From the description' },
    ...CATEGORIES.map((name) => ({ value: name, label: name })),
  ],
})}
${field({
  name: 'base_url',
  label: 'Base URL',
  type: 'url',
  value: form.text('base_url') || urlAsked,
  error: wrong('base_url'),
  hint: 'Required if the servers in the description have no host, such as /v1.',
})}
${checkboxes({
  name: 'options',
  legend: 'Options',
  options: [
    { value: 'create', label: CREATE_LABEL },
    { value: 'private', label: 'Mark the API as private' },
  ],
  chosen: options,
})}
<button>Import</button>`
  const body = html`<p class="crumbs"><a href="${IMPORTS_PATH}">Imports</a></p>
<h1>Import a description</h1>
<p class="lead">An API with the same vendor, title and major version is updated in place. Importing the same description again changes nothing.</p>
${error ? errorSummary([{ message: renderError(error, form), ...toFieldId(error) }]) : ''}
${postForm({ action: `${IMPORTS_PATH}/new`, formToken: request.formToken, hasFiles: true, content })}`
  const status = error && PROBLEM_TYPES[error.code].status
  return { kind: 'page', title: 'Import a description', body, ...(status && { status }) }
}

/** Returns the ID of the invalid field, if known. */
function toFieldId({ issues, extra }: ServiceError): { readonly fieldId?: string } {
  const name = extra.unknown_vendor === undefined ? issues[0]?.name : 'vendor'
  return name !== undefined && FIELDS.has(name) ? { fieldId: `field-${name}` } : {}
}

const FIELDS = new Set(['file', 'text', 'vendor', 'category', 'base_url'])

/** Lists suggested vendors, those with the most APIs first. */
async function listVendors({ app }: ViewedRequest): Promise<readonly string[]> {
  const apis = new Map<string, number>()
  for (const { vendor } of await app.catalogue.listFacts()) {
    apis.set(vendor.name, (apis.get(vendor.name) ?? 0) + 1)
  }
  const byApis = [...apis].sort(([, a], [, b]) => b - a)
  return byApis.slice(0, MAX_VENDORS).map(([name]) => name)
}

/** Limits the size of the page; further vendors can be typed in. */
const MAX_VENDORS = 500

const CREATE_LABEL = 'Create vendors that are not in the catalogue'

function renderError(error: ServiceError, form: ViewedRequest['form']) {
  const file = form.file('file') ? html` Choose the file again.` : ''
  const isUnknown = error.extra.unknown_vendor !== undefined
  const help =
    isUnknown && !form.all('options').includes('create')
      ? ` Enter another name, or select “${CREATE_LABEL}”.`
      : ''
  const where = error.extra.pointer
  const location =
    typeof where === 'string' && where !== '' ? html` (at <code>${where}</code>)` : ''
  return html`${error.message}${location}.${help}${file}`
}
