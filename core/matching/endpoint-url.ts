import { parseLocation } from './locations.ts'
import type { Match } from './match.ts'
import { HOLE, markPlaceholders, REST } from './placeholders.ts'

/**
 * The URL of an endpoint, the same for every spelling of it: scheme and host in lower case, no user,
 * default port, final slash, query or fragment; `{}` for every placeholder. Of a URL that is matched,
 * the path as catalogued, so that sample values count as placeholders, with the query that it asks
 * for. A URI reference but for the braces. What names no host stays as it is.
 */
export function toEndpointUrl(url: string, match?: Pick<Match, 'path'>): string {
  const location = parseLocation(url)
  if (!location) return url.trim()
  const text = url.trim().replaceAll('\\', '/')
  const [, scheme = '', slashes, path = ''] = PARTS.exec(showMarks(markPlaceholders(text))) ?? []
  const start = scheme === '' && slashes === '' ? '' : `${scheme.toLowerCase()}//`
  const port = location.port === '' ? '' : `:${location.port === '*' ? '{}' : location.port}`
  const found = match?.path ?? path.replace(/\/{2,}/g, '/')
  const rest = found.replace(/\/+(?=\?|$)/, '').replace(NO_URI, encode)
  return `${start}${showMarks(location.host.replace(/[{}]/g, HOLE))}${port}${rest}`
}

/** Scheme, slashes, authority, path. */
const PARTS = /^((?:https?|wss?):|\{\}:(?=\/\/))?(\/*)[^/?#]*([^?#]*)/is

/** What has no place in a URI, the braces of placeholders excepted. */
const NO_URI = /[^!-~]|["'<>\\^`|[\]]|%(?![0-9a-f]{2})/giu

function encode(character: string): string {
  return encodeURIComponent(character.replace(/\p{Cs}/u, '\ufffd')).replace("'", '%27')
}

function showMarks(text: string): string {
  return text
    .replaceAll(HOLE, '{}')
    .replaceAll(REST, '{}')
    .replace(/(?:\{\}){2,}/g, '{}')
}
