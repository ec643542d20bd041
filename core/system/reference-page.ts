import type { RawResult } from '../http/operation.ts'
import { Html, html } from '../shared/html.ts'

type Json = Readonly<Record<string, unknown>>

/** One method of one path of an OpenAPI document. */
interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Json
  /** Base path before `path`, without a final slash. */
  readonly server: string
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #0a6cc4; }
@media (prefers-color-scheme: dark) { :root { --accent: #6cb6ff; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
a { color: var(--accent); }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); text-transform: capitalize; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; }
summary { padding: 0.5rem 0.75rem; cursor: pointer; display: flex; gap: 0.75rem; flex-wrap: wrap; }
summary code { font-weight: 600; overflow-wrap: anywhere; }
.method { min-width: 4rem; font: 600 0.8rem/1.9 ui-monospace, monospace; color: var(--accent); }
summary + .body { padding-top: 0; }
.body { padding: 0 0.75rem 0.75rem; overflow-x: auto; }
.planned { opacity: 0.65; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.5rem; border-top: 1px solid var(--line); }
pre { background: var(--soft); padding: 0.5rem; border-radius: 6px; overflow-x: auto; }
`

/**
 * Renders the reference page of an OpenAPI document: one HTML document without scripts or other
 * files. `guidesUrl` is undefined without a console, which serves the guides.
 */
export async function renderReferencePage(
  document: Json,
  guidesUrl: string | undefined,
): Promise<RawResult> {
  const info = document.info as { readonly title: string; readonly version: string }
  const entries = toEntries(document)
  const tags = [...new Set(entries.map(getHeading))].sort(
    (one, other) => Number(one === 'system') - Number(other === 'system'),
  )
  const sections = tags.map(
    (tag) =>
      html`<h2 id="${toAnchor(tag)}">${tag}</h2>${entries
        .filter((entry) => getHeading(entry) === tag)
        .map(renderEntry)}`,
  )
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${info.title} ${info.version}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${toTrustedHtml(STYLE)}</style></head>
<body><h1>${info.title} <small>${info.version}</small></h1>
<p>Send the header <code>api-key</code> with every call below <code>${findServerPath(document) || '/'}</code>. Errors are problem documents (RFC 9457) with a
stable <code>code</code>. In the examples <code>$SERVER</code> is this server's address and <code>$KEY</code> an API key; a star marks required values.
Machine-readable version: <a href="${findServerPath(document)}/openapi.json">openapi.json</a>.
${guidesUrl === undefined ? html`The guides are in the folder <code>docs/guides</code> of the package.` : html`The <a href="${guidesUrl}">guides</a> show how to use the service.`}</p>
<nav>${tags.map((tag) => html`<a href="#${toAnchor(tag)}">${tag}</a> `)}</nav>
${sections}</body></html>`
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${await toCspHash(STYLE)}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      'referrer-policy': 'no-referrer',
    },
    body: body.text,
  }
}

/**
 * Returns the heading of an entry. Operations outside the specification share the tag `extension`,
 * but are listed with their subject.
 */
function getHeading({ path, operation }: Entry): string {
  const tag = (operation.tags as readonly string[])[0] ?? ''
  const [, area = ''] = path.split('/')
  return tag === 'extension' ? (SUBJECTS.get(area) ?? 'more') : tag
}

/** Subjects of extensions, by the first segment of their path. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['agreements', 'agreements'],
  ['apis', 'catalogue'],
  ['benchmark', 'rate limits'],
  ['cvesearch', 'vulnerabilities'],
  ['gateway', 'gateway'],
  ['imports', 'imports'],
  ['networks', 'scans'],
  ['scanned', 'scans'],
  ['vendors', 'catalogue'],
])

function toAnchor(tag: string): string {
  return tag.replaceAll(' ', '-')
}

/** Returns the first base path, without its final slash. */
function findServerPath(item: Json): string | undefined {
  const servers = item.servers as readonly { readonly url: string }[] | undefined
  return servers?.[0]?.url.replace(/\/$/, '')
}

function toEntries(document: Json): readonly Entry[] {
  return Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) => {
    const server = findServerPath(item) ?? findServerPath(document) ?? ''
    return Object.entries(item)
      .filter(([key]) => key !== 'servers')
      .map(([method, operation]) => ({ path, method, operation: operation as Json, server }))
  })
}

function toTrustedHtml(text: string): Html {
  return new Html(text)
}

async function toCspHash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

/** Renders one operation: its parameters, body and response, and a `curl` command for it. */
function renderEntry(entry: Entry): Html {
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
