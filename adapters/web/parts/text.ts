import { type Html, html } from '../../../core/shared/html.ts'
import { isHttpUrl } from '../../../core/shared/urls.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'worst' | 'plain'

/** A short word that stands out. Its colour never says what its text does not. */
export function badge(text: unknown, tone: Tone = 'plain'): Html {
  return html`<span class="badge${tone === 'plain' ? '' : ` ${tone}`}">${text}</span>`
}

/** A sentence that stands out: what was done, or what is wrong. It is read out at once. */
export function note(content: unknown, tone: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): Html {
  const role = tone === 'bad' ? 'alert' : 'status'
  return html`<div class="note${tone === 'plain' ? '' : ` ${tone}`}" role="${role}">${content}</div>`
}

/** Names and values; what has no value is left out. */
export function facts(pairs: readonly (readonly [string, unknown])[]): Html {
  const shown = pairs.filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** What stands where there is nothing yet: says so, and what to run. */
export function empty(title: string, content: unknown): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p>${content}</div>`
}

/** A link to somewhere else, of a text that others wrote; no link where it is no http(s) address. */
export function outsideLink(url: string, text?: unknown): Html {
  if (!isHttpUrl(url)) return html`${text ?? url}`
  return html`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${text ?? url}</a>`
}

/** `2026-11-21 09:30`, in UTC, with the exact time for programs. */
export function time(ms: number | undefined): Html {
  if (ms === undefined) return html`<span class="soft">never</span>`
  const text = new Date(ms).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`
}

/** `1,234,567` */
export function count(value: number): string {
  return NUMBERS.format(value)
}

/** Made once: a page has hundreds of numbers, and each `toLocaleString` makes one. */
const NUMBERS = new Intl.NumberFormat('en-GB')

/** A text that a button copies. */
export function copyable(given: { readonly id: string; readonly text: string }): Html {
  const { id, text } = given
  return html`<div class="copy"><pre id="${id}" tabindex="0">${text}</pre><button type="button" class="second" data-copy="${id}">Copy</button></div>`
}
