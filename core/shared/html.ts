/** Markup that is safe to send without escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Builds HTML from a template; escapes every value, except `Html` and lists of it. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = parts[0] ?? ''
  for (const [index, value] of values.entries())
    text += renderValue(value) + (parts[index + 1] ?? '')
  return new Html(text)
}

function renderValue(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(renderValue).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Character references of HTML that reporters leave in descriptions. */
const CHARACTER_REFERENCES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
  ['#xa0', ' '],
  ['ndash', '–'],
  ['#8211', '–'],
])

/**
 * Decodes the frequent character references of HTML in the description of a CVE. Records contain
 * the source's text; the result is for display, as text and never as HTML.
 *
 * @example
 * ```ts
 * import { decodeEntities } from 'api-discovery/vulnerabilities'
 *
 * decodeEntities('versions &lt; 2.0') // 'versions < 2.0'
 * ```
 */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(#?[a-z\d]{2,5});/g,
    (whole, name) => CHARACTER_REFERENCES.get(name) ?? whole,
  )
}
