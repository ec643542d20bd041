import { type Html, html } from '../../../core/shared/html.ts'
import { isHttpUrl } from '../../../core/shared/urls.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'worst' | 'plain'

/** Renders a short label. Its colour carries no additional meaning. */
export function badge(text: unknown, tone: Tone = 'plain'): Html {
  return html`<span class="badge${tone === 'plain' ? '' : ` ${tone}`}">${text}</span>`
}

/**
 * Renders a highlighted message, such as a confirmation or an error. Screen readers announce it at
 * once.
 */
export function note(content: unknown, tone: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): Html {
  const role = tone === 'bad' ? 'alert' : 'status'
  return html`<div class="note${tone === 'plain' ? '' : ` ${tone}`}" role="${role}">${content}</div>`
}

/** Renders names with values; pairs without a value are omitted. */
export function factList(pairs: readonly (readonly [string, unknown])[]): Html {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** Renders an empty state: a title, and the next step. */
export function emptyState(title: string, content: unknown): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p>${content}</div>`
}

/** Renders a link to an external site with untrusted text; plain text unless the URL is http(s). */
export function externalLink(url: string, text?: unknown): Html {
  if (!isHttpUrl(url)) return html`${text ?? url}`
  return html`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${text ?? url}</a>`
}

/** Renders a UTC time, `2026-11-21 09:30`, with the exact time in an attribute. */
export function timeElement(ms: number | undefined): Html {
  if (ms === undefined) return html`<span class="soft">never</span>`
  const text = new Date(ms).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`
}

/** Formats a number as `1,234,567`. */
export function formatNumber(value: number): string {
  return NUMBERS.format(value)
}

/**
 * Created once: a page has hundreds of numbers, and each `toLocaleString` would create a formatter.
 */
const NUMBERS = new Intl.NumberFormat('en-GB')

/** Renders text with a copy button. */
export function copyableText(options: { readonly id: string; readonly text: string }): Html {
  const { id, text } = options
  return html`<div class="copy"><pre id="${id}" tabindex="0">${text}</pre><button type="button" class="second" data-copy="${id}">Copy</button></div>`
}
