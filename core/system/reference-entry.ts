import { type Html, html } from '../shared/html.ts'

export type Json = Readonly<Record<string, unknown>>

/** One method of one path of an OpenAPI document. */
export interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Json
  /** Base path before `path`, without a final slash. */
  readonly server: string
}

/** Renders one operation: its parameters, body and response, and a `curl` command for it. */
export function renderEntry(entry: Entry): Html {
  const { path, method, operation, server } = entry
  const isPlanned = operation['x-not-implemented'] === true
  return html`<details class="${isPlanned ? 'planned' : ''}"><summary><span class="method">${method.toUpperCase()}</span>
<code>${server}${path}</code> <span>${operation.summary}${isPlanned ? ' (not implemented yet)' : ''}</span></summary>
<div class="body"><p>${renderText(String(operation.description ?? ''))}</p>${renderParameters(operation)}
${renderBody(operation)}<pre>${buildCurlCommand(entry)}</pre>${renderResponse(operation)}</div></details>`
}

/** Renders text with its `code` marked up. */
function renderText(text: string): readonly Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function renderParameters(operation: Json): Html {
  const parameters = operation.parameters as readonly Json[]
  if (parameters.length === 0) return html``
  const rows = parameters.map((parameter) =>
    renderRow({
      name: String(parameter.name),
      place: String(parameter.in),
      isRequired: parameter.required === true,
      schema: parameter.schema as Json,
      description: String(parameter.description ?? ''),
    }),
  )
  return renderTable('Parameters', rows)
}

function renderBody(operation: Json): Html {
  const body = operation.requestBody as Json | undefined
  if (!body) return html``
  const content = body.content as Readonly<Record<string, Json>>
  const schemas = Object.values(content).map(({ schema }) => schema as Json | undefined)
  const schema = schemas.find((candidate) => candidate?.properties !== undefined) ?? {}
  const required = (schema.required ?? []) as readonly string[]
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([name, property]) =>
      renderRow({
        name,
        place: 'body',
        isRequired: required.includes(name),
        schema: property,
        description: String(property.description ?? ''),
      }),
  )
  const mediaTypes = Object.keys(content).map((type) => html` <code>${type}</code>`)
  return html`<p>Body:${mediaTypes}. ${body.description}</p>${rows.length > 0 ? renderTable('Body', rows) : ''}`
}

function renderResponse(operation: Json): Html {
  const responses = operation.responses as Readonly<Record<string, Json>>
  const content = responses[200]?.content as Readonly<Record<string, Json>> | undefined
  const [first] = Object.entries(content ?? {})
  const schema = first?.[1].schema
  if (schema === undefined) return html``
  return html`<details><summary>Response, ${first?.[0]} (JSON Schema)</summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>`
}

function renderTable(label: string, rows: readonly Html[]): Html {
  return html`<table aria-label="${label}"><tr><th>Name</th><th>In</th><th>Type</th><th>Description</th></tr>${rows}</table>`
}

function renderRow(row: {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly schema: Json
  readonly description: string
}): Html {
  const { name, place, isRequired, schema, description } = row
  return html`<tr><td><code>${name}</code>${isRequired ? ' *' : ''}</td><td>${place}</td>
<td>${describeType(schema)}</td><td>${renderText(description)}</td></tr>`
}

function describeType(schema: Json): string {
  const { type, format, minimum, maximum } = schema
  const values = schema.enum as readonly unknown[] | undefined
  const parts = [
    values ? values.join(' | ') : [type, format].filter((part) => part !== undefined).join(', '),
    minimum === undefined && maximum === undefined ? '' : `${minimum ?? '…'} to ${maximum ?? '…'}`,
    schema.default === undefined || schema.default === ''
      ? ''
      : `= ${JSON.stringify(schema.default)}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** Builds a command that works once `$SERVER` and `$KEY` are set and each `…` is replaced. */
function buildCurlCommand({ path, method, operation, server }: Entry): string {
  const parameters = operation.parameters as readonly Json[]
  const needed = parameters.filter((parameter) => parameter.required === true)
  const query = needed
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=…`)
    .join('&')
  const headers = needed
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => ` -H '${parameter.name}: …'`)
    .join('')
  const body = toCurlBody(operation, method)
  const isImplied = method === 'get' || (method === 'post' && body !== '')
  const verb = isImplied ? '' : ` -X ${method.toUpperCase()}`
  const key = Array.isArray(operation.security) ? '' : ` -H "api-key: $KEY"`
  const target = `"$SERVER${server}${path}${query === '' ? '' : `?${query}`}"`
  return `curl${verb}${key}${headers}${body} ${target}`
}

function toCurlBody(operation: Json, method: string): string {
  const fields = formFields(operation)
  if (fields) return method === 'get' ? '' : fields.map((field) => ` -F '${field}'`).join('')
  const body = operation.requestBody as Json | undefined
  const json = (body?.content as Readonly<Record<string, Json>> | undefined)?.['application/json']
  if (!json) return ''
  const required = ((json.schema as Json | undefined)?.required ?? []) as readonly string[]
  const members = required.map((name) => `"${name}": "…"`).join(', ')
  return ` -H 'content-type: application/json' -d '{${members}}'`
}

/**
 * Returns the required fields of a form, or all of them if none is required; undefined if the body
 * is not a form.
 */
function formFields(operation: Json): readonly string[] | undefined {
  const body = operation.requestBody as Json | undefined
  const form = (body?.content as Readonly<Record<string, Json>> | undefined)?.[
    'multipart/form-data'
  ]
  if (!form) return undefined
  const schema = (form.schema ?? {}) as Json
  const fields = (schema.required ?? Object.keys(schema.properties ?? {})) as readonly string[]
  return fields.map((name) => `${name}=${name === 'file' ? '@openapi.yaml' : '…'}`)
}
