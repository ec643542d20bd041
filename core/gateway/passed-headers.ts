import type { HeaderLine } from '../ports/egress.ts'

/**
 * Response headers of a target that are passed to the caller, in addition to `PASSED_PREFIXES`. All
 * others are dropped: connection headers, `set-cookie`, headers that name the target's software,
 * and headers that would apply to our own origin.
 */
export const PASSED_HEADERS = [
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'deprecation',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'sunset',
  'www-authenticate',
  'x-request-id',
  'x-total-count',
] as const

/** Prefixes of rate-limit headers. */
const PASSED_PREFIXES = ['ratelimit', 'x-ratelimit-', 'x-rate-limit-'] as const

/** The passed part of a response head. */
export interface PassedHead {
  readonly headers: Record<string, string>
  /** False for responses that never have a body, regardless of their headers (RFC 9110 6.4.1). */
  readonly hasBody: boolean
}

/** Keeps browsers from running, sniffing or rendering a target's response at our origin. */
const ADDED_HEADERS = {
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
} as const

const PASSED_HEADER_SET: ReadonlySet<string> = new Set(PASSED_HEADERS)

/**
 * Selects the passed headers. The target's `x-request-id` becomes `target-request-id`, as the name
 * is used by this service. A relative `location` becomes absolute.
 */
export function selectPassedHead(answer: {
  /** Method of the call, upper case. */
  readonly method: string
  readonly status: number
  readonly headers: readonly HeaderLine[]
  /** Undefined if the path contains a secret: then `location` is passed unchanged. */
  readonly url: string | undefined
}): PassedHead {
  const { status } = answer
  const hasBody = answer.method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
  const headers: Record<string, string> = { ...ADDED_HEADERS }
  let hopByHop: string | undefined
  let disposition = 'attachment'
  for (const [name, value] of answer.headers) {
    if (name === 'connection') hopByHop = hopByHop === undefined ? value : `${hopByHop},${value}`
    if (!isPassed(name)) continue
    if (name === 'content-disposition') {
      if (/^attachment *;/i.test(value)) disposition = value
    } else if (name === 'x-request-id') headers['target-request-id'] = value
    else if (name === 'location') headers.location = resolveLocation(value, answer.url)
    else if (name !== 'content-length') appendHeader(headers, name, value)
    else if (hasBody) headers['content-length'] = value
  }
  if (hopByHop !== undefined) removeConnectionHeaders(headers, hopByHop)
  headers['content-disposition'] = disposition
  return { headers, hasBody }
}

/** Returns the passed headers that the target sent, without those that this service sets. */
export function listTargetHeaders(
  headers: Readonly<Record<string, string>>,
): readonly HeaderLine[] {
  return Object.entries(headers).filter(
    ([name]) => !Object.hasOwn(ADDED_HEADERS, name) && name !== 'content-disposition',
  )
}

function isPassed(name: string): boolean {
  return PASSED_HEADER_SET.has(name) || PASSED_PREFIXES.some((prefix) => name.startsWith(prefix))
}

function appendHeader(headers: Record<string, string>, name: string, value: string): void {
  const former = headers[name]
  headers[name] = former === undefined ? value : `${former}, ${value}`
}

/**
 * Removes the headers that `Connection` names: they apply to one connection only (RFC 9110 7.6.1).
 */
function removeConnectionHeaders(headers: Record<string, string>, connection: string): void {
  for (const option of connection.split(',')) {
    const name = option.trim().toLowerCase()
    if (isPassed(name) && name !== 'content-length') delete headers[name]
  }
}

/** The query of the call may contain a credential, so it is never used as base. */
function resolveLocation(location: string, url: string | undefined): string {
  const base = url?.replace(/\?.*$/s, '')
  return URL.canParse(location, base) ? new URL(location, base).href : location
}
