import { parseLocation } from './locations.ts'
import type { Match } from './match.ts'
import { HOLE, markPlaceholders, REST } from './placeholders.ts'

/**
 * Normalises the URL of an endpoint: scheme and host in lower case, `{}` for placeholders. Removes
 * user, default port, trailing slash, query and fragment. With a match, uses the catalogued path
 * and required query, so that sample values become placeholders. The result is a URI reference
 * except for its braces. Text without a host is only trimmed.
 */
export function toEndpointUrl(url: string, match?: Pick<Match, 'path'>): string {
  const location = parseLocation(url)
  if (!location) return url.trim()
  const text = url.trim().replaceAll('\\', '/')
  const [, scheme = '', slashes, path = ''] =
    PARTS.exec(unmarkPlaceholders(markPlaceholders(text))) ?? []
  const start = scheme === '' && slashes === '' ? '' : `${scheme.toLowerCase()}//`
  const port = location.port === '' ? '' : `:${location.port === '*' ? '{}' : location.port}`
  const found = match?.path ?? path.replace(/\/{2,}/g, '/')
  const rest = found.replace(/\/+(?=\?|$)/, '').replace(NO_URI, encodeCharacter)
  return `${start}${unmarkPlaceholders(location.host.replace(/[{}]/g, HOLE))}${port}${rest}`
}

/** Scheme, slashes, authority, path. */
const PARTS = /^((?:https?|wss?):|\{\}:(?=\/\/))?(\/*)[^/?#]*([^?#]*)/is

/** Characters that are not allowed in a URI, except for the braces of placeholders. */
const NO_URI = /[^!-~]|["'<>\\^`|[\]]|%(?![0-9a-f]{2})/giu

function encodeCharacter(character: string): string {
  return encodeURIComponent(character.replace(/\p{Cs}/u, '\ufffd')).replace("'", '%27')
}

function unmarkPlaceholders(text: string): string {
  return text
    .replaceAll(HOLE, '{}')
    .replaceAll(REST, '{}')
    .replace(/(?:\{\}){2,}/g, '{}')
}
