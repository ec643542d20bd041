import type { AuthType, Endpoint } from '../../../core/catalogue/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'

const AUTH_LABELS: Readonly<Record<AuthType, string>> = {
  BasicAuth: 'User name and password',
  body: 'Key in the body',
  header: 'Key in a header',
  none: 'No authentication',
  OAuth1: 'OAuth 1',
  OAuth2: 'OAuth 2',
  path: 'Key in the path',
  query: 'Key in the query',
  undeclared: 'Authentication not declared',
}

/** Formats an `auth_types` value; unknown values are unchanged. */
export function formatAuthType(type: string): string {
  return Object.hasOwn(AUTH_LABELS, type) ? AUTH_LABELS[type as AuthType] : type
}

/** Renders the method and path of an endpoint; the address of an MCP server has no path below it. */
export function renderEndpointName({
  method,
  path,
  url,
}: Pick<Endpoint, 'method' | 'path' | 'url'>): Html {
  return html`<span class="method">${method}</span> <span class="mono">${path || url}</span>`
}

/**
 * Removed HTML tags that format text. Other tags may be the subject of the text, such as
 * `<script>`.
 */
const INLINE_TAG = /<\/?(?:a|b|code|em|i|span|strong)(?:\s[^<>]*)?>/gi
const BLOCK_TAG = /<\/?(?:br|div|h[1-6]|li|ol|p|pre|ul)(?:\s[^<>]*)?\/?>/gi

/** Returns the first characters of a text as a single line, without Markdown and HTML markup. */
export function createExcerpt(text: string, length = 240): string {
  const plain = text
    .slice(0, length * 6)
    // Headings, rules and tables are unreadable without formatting.
    .replaceAll(/^ *(?:#|\||[-=*_]{3}).*$/gm, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/^ *(?:[-*+>]|\d+\.) +/gm, ' ')
    .replaceAll(INLINE_TAG, '')
    .replaceAll(BLOCK_TAG, ' ')
    .replaceAll(/[`*]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (plain.length <= length) return plain
  const cut = plain.slice(0, length)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length - 30))} …`
}
