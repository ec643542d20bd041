import { type ReadElement, readPage } from './strict-html.ts'

/**
 * Finds injected content: foreign scripts, handlers, styles, script links, unmarked external links,
 * script requests to other hosts, and forms without a token. Empty if untrusted text is only text.
 * Throws if `readPage` cannot read the page.
 */
export function findIntruders(html: string): readonly string[] {
  const { elements } = readPage(html)
  const posting = elements.filter(
    ({ name, attributes }) => name === 'form' && attributes.get('method') === 'post',
  )
  const tokens = elements.filter(
    ({ name, attributes }) => name === 'input' && attributes.get('name') === 'form_token',
  )
  return [
    ...new Set(elements.flatMap(findFaults)),
    ...(posting.length === tokens.length ? [] : ['a form without a token, or a token without one']),
  ]
}

/** Lists the visible text of a page line by line, then the field values. */
export function readWords(html: string): string {
  const { elements, texts } = readPage(html)
  const values = elements.flatMap(({ attributes }) => attributes.get('value') ?? [])
  return [...texts, ...values].join('\n')
}

const FORBIDDEN = new Set(['base', 'embed', 'iframe', 'object', 'style', 'template', 'video'])
const OWN_FILE = /^\/console\/assets\/[\w.-]+$/
const OWN_PICTURE = /^(?:\/console\/[\w/-]+|\/images\/[\w/.-]+)$/
/** A path on this server or a fragment, but not `//host` or `/\host`. */
const OWN_PLACE = /^(?:\/(?![/\\])|#|\?)/
const OWN_PATH = /^\/console(?:[/?#]|$)/
const ELSEWHERE = /^https?:\/\/[^/\s]/i
/** Attributes of htmx that pages use. */
const REQUESTS: Readonly<Record<string, RegExp>> = {
  'data-hx-get': OWN_PATH,
  'data-hx-target': /^#[\w-]+$/,
  'data-hx-select': /^#[\w-]+$/,
  'data-hx-swap': /^outerHTML$/,
  'data-hx-sync': /^replace$/,
  'data-hx-push-url': /^true$/,
  'data-hx-trigger': /^(?:(?:input|change)(?: changed)? delay:\d+ms(?:, submit)?|every \d+s)$/,
}

function findFaults(element: ReadElement): readonly string[] {
  const { name, attributes } = element
  const wrong = [...attributes].filter(([attribute, value]) => !isTame(element, attribute, value))
  return [
    ...(FORBIDDEN.has(name) ? [`<${name}>`] : []),
    ...(name === 'script' && !OWN_FILE.test(attributes.get('src') ?? '') ? ['<script>'] : []),
    ...(name === 'meta' && attributes.has('http-equiv') ? ['<meta http-equiv>'] : []),
    ...(name === 'img' && !OWN_PICTURE.test(attributes.get('src') ?? '') ? ['<img>'] : []),
    ...wrong.map(([attribute, value]) => `<${name} ${attribute}="${value}">`),
  ]
}

function isTame({ name, attributes }: ReadElement, attribute: string, value: string): boolean {
  if (/^on|^style$|^srcdoc$|^formaction$|^ping$|^hx-/i.test(attribute)) return false
  if (attribute in REQUESTS) return REQUESTS[attribute]?.test(value) === true
  if (attribute.startsWith('data-hx-')) return false
  if (attribute === 'action') return OWN_PATH.test(value)
  if (attribute === 'src' || (attribute === 'href' && name === 'link')) return OWN_PATH.test(value)
  if (!/(?:^|:)href$/.test(attribute)) return true
  if (OWN_PLACE.test(value)) return true
  const rel = (attributes.get('rel') ?? '').split(' ')
  return ELSEWHERE.test(value) && rel.includes('noopener') && rel.includes('nofollow')
}
