import type { HeaderLine } from '../egress/egress.ts'

/**
 * The headers of a target's answer that a caller gets, beside those that begin with
 * `PASSED_PREFIXES`. All others stay here: those of the connection, `set-cookie`, what names the
 * target's software, and what would speak for our own origin.
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

/** The families of rate limit headers. */
export const PASSED_PREFIXES = ['ratelimit', 'x-ratelimit-', 'x-rate-limit-'] as const

/** Of an answer's head, what its caller gets. */
export interface PassedHead {
  readonly headers: Record<string, string>
  /** False for answers that have no body whatever their headers say (RFC 9110 6.4.1). */
  readonly hasBody: boolean
}

/** No browser runs, sniffs or shows what a target answered at our origin. */
const OWN_HEADERS = {
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
} as const

const PASSED: ReadonlySet<string> = new Set(PASSED_HEADERS)

/**
 * Chooses the headers that pass. The target's request id becomes `target-request-id`, since
 * `x-request-id` is ours, and a relative `location` is made absolute, as the caller does not know
 * against what.
 */
export function toPassedHead(answer: {
  /** Upper case, of the call. */
  readonly method: string
  readonly status: number
  readonly headers: readonly HeaderLine[]
  /** Undefined where its path holds a secret: then a location stays as it came. */
  readonly url: string | undefined
}): PassedHead {
  const { status } = answer
  const hasBody = answer.method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
  const headers: Record<string, string> = { ...OWN_HEADERS }
  let hopByHop: string | undefined
  let disposition = 'attachment'
  for (const [name, value] of answer.headers) {
    if (name === 'connection') hopByHop = hopByHop === undefined ? value : `${hopByHop},${value}`
    if (!isPassed(name)) continue
    if (name === 'content-disposition') {
      if (/^attachment *;/i.test(value)) disposition = value
    } else if (name === 'x-request-id') headers['target-request-id'] = value
    else if (name === 'location') headers.location = toAbsolute(value, answer.url)
    else if (name !== 'content-length') addLine(headers, name, value)
    else if (hasBody) headers['content-length'] = value
  }
  if (hopByHop !== undefined) dropNamed(headers, hopByHop)
  headers['content-disposition'] = disposition
  return { headers, hasBody }
}

/** Of the headers that pass, those that are the target's own. */
export function listTargetHeaders(
  headers: Readonly<Record<string, string>>,
): readonly HeaderLine[] {
  return Object.entries(headers).filter(
    ([name]) => !Object.hasOwn(OWN_HEADERS, name) && name !== 'content-disposition',
  )
}

function isPassed(name: string): boolean {
  return PASSED.has(name) || PASSED_PREFIXES.some((prefix) => name.startsWith(prefix))
}

function addLine(headers: Record<string, string>, name: string, value: string): void {
  const former = headers[name]
  headers[name] = former === undefined ? value : `${former}, ${value}`
}

/** What `Connection` names is of one connection alone (RFC 9110 7.6.1). */
function dropNamed(headers: Record<string, string>, connection: string): void {
  for (const option of connection.split(',')) {
    const name = option.trim().toLowerCase()
    if (isPassed(name) && name !== 'content-length') delete headers[name]
  }
}

/** The query of the call, which may hold a credential, is never part of it. */
function toAbsolute(location: string, url: string | undefined): string {
  const base = url?.replace(/\?.*$/s, '')
  return URL.canParse(location, base) ? new URL(location, base).href : location
}
