import { PROBLEMS } from '../../../core/http/problems.ts'
import { CATEGORIES, ServiceError } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import { NO_FORM } from '../forms.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { note } from '../parts/text.ts'
import { IMPORTS_PATH, toImportPath } from './paths.ts'

/** A form for a description. */
export function answerUpload(request: ViewedRequest): PageAnswer {
  return show(request)
}

/** Imports what the form holds, a file or a pasted text. */
export async function answerUploadForm(request: ViewedRequest): Promise<PageAnswer> {
  const { app, form, viewer, signal } = request
  const text = form.text('text')
  const file = form.file('file')
  try {
    if (!file && text.trim() === '') throw refuse('file', 'Choose a file, or paste the description')
    if (file && text.trim() !== '') throw refuse('text', 'Give a file or a text, not both')
    const isTicked = (name: string) => form.all('options').includes(name)
    const { importId } = await app.imports.importDescription({
      bytes: file?.bytes ?? new TextEncoder().encode(text),
      mediaType: file?.mediaType,
      fileName: file?.filename,
      vendorName: form.text('vendor').trim() || undefined,
      categoryName: form.text('category') || undefined,
      createVendor: isTicked('create'),
      baseUrl: form.text('base_url').trim() || undefined,
      isPublic: !isTicked('private'),
      by: viewer.caller.account,
      signal,
    })
    const to = importId === undefined ? IMPORTS_PATH : toImportPath({ id: importId })
    return { kind: 'redirect', to: `${to}?done=imported` }
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEMS[error.code].status >= 500) throw error
    return show(request, error)
  }
}

function refuse(name: string, message: string): ServiceError {
  return new ServiceError('invalid_input', message, { issues: [{ in: 'form', name, message }] })
}

function show(request: ViewedRequest, error?: ServiceError): PageAnswer {
  const form = error ? request.form : NO_FORM
  const wrong = (name: string) => error?.issues.find((issue) => issue.name === name)?.message
  const content = html`
${field({
  name: 'file',
  label: 'File',
  type: 'file',
  error: wrong('file'),
  hint: 'Swagger 2.0 or OpenAPI 3.0 to 3.2, JSON or YAML. Large ones take some seconds.',
  more: html`accept=".json,.yaml,.yml,application/json,application/yaml"`,
})}
${field({ name: 'text', label: 'Or paste the description', isLong: true, value: form.text('text'), error: wrong('text'), more: html`rows="8" spellcheck="false"` })}
${field({
  name: 'vendor',
  label: 'Vendor',
  value: form.text('vendor'),
  error: wrong('vendor'),
  hint: 'Who offers the API. Where none is given, it is the one that the description names, else the domain of its server.',
  more: html`maxlength="200"`,
})}
${field({
  name: 'category',
  label: 'Category',
  value: form.text('category'),
  error: wrong('category'),
  options: [
    { value: '', label: 'As the description says' },
    ...CATEGORIES.map((name) => ({ value: name, label: name })),
  ],
})}
${field({
  name: 'base_url',
  label: 'Base URL',
  type: 'url',
  value: form.text('base_url'),
  error: wrong('base_url'),
  hint: 'Where the description names its server without a host, such as /v1.',
})}
${checkboxes({
  name: 'options',
  legend: 'Options',
  options: [
    { value: 'create', label: 'Enter the vendor if it is not in the catalogue' },
    { value: 'private', label: 'The API is not public' },
  ],
  chosen: new Set(form.all('options')),
})}
<button>Import</button>`
  const body = html`<p class="crumbs"><a href="${IMPORTS_PATH}">Imports</a></p>
<h1>Import a description</h1>
<p class="lead">The same API (vendor, title and major version) is updated in place; the same description again changes nothing.</p>
${error ? note(toWords(error, form.file('file') !== undefined), 'bad') : ''}
${postForm({ action: `${IMPORTS_PATH}/new`, formToken: request.formToken, hasFiles: true, content })}`
  const status = error && PROBLEMS[error.code].status
  return { kind: 'page', title: 'Import a description', body, ...(status && { status }) }
}

function toWords(error: ServiceError, hadFile: boolean) {
  const file = hadFile ? html` The file has to be chosen again.` : ''
  const where = error.extra.pointer
  const place = typeof where === 'string' && where !== '' ? html` (at <code>${where}</code>)` : ''
  return html`${error.message}${place}.${file}`
}
