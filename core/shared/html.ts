/** Markup that is safe to send as it is. */
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

/** Markup with every value in it escaped; `Html` and lists of it stand as they are. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = parts[0] ?? ''
  for (const [index, value] of values.entries()) text += render(value) + (parts[index + 1] ?? '')
  return new Html(text)
}

function render(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
