import type { RawResult } from '../http/operation.ts'
import { Html, html } from '../shared/html.ts'
import { type Entry, type Json, renderEntry } from './reference-entry.ts'

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
