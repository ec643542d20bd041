/** Character references of HTML that reporters leave in descriptions. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
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
  return text.replace(/&(#?[a-z\d]{2,5});/g, (whole, name) => ENTITIES.get(name) ?? whole)
}
