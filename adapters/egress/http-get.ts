import { isAllowEntry } from '../../core/egress/allow-list.ts'
import { isRedirect } from '../../core/egress/redirects.ts'
import { ServiceError } from '../../core/errors.ts'
import { EgressError, type EgressResponse, type HeaderLine } from '../../core/ports/egress.ts'
import {
  type Get,
  type GetOptions,
  type GetResponse,
  type GetTimeouts,
  SourceError,
} from '../../core/ports/get.ts'
import { VERSION } from '../../core/version.ts'
import { createPinnedEgress, type PinnedEgress, type PinnedEgressOptions } from './pinned-egress.ts'

/** A `Get` with its own connections. */
export interface HttpGet {
  readonly get: Get
  /** Closes all connections. */
  close(): void
}

/** See `PinnedEgressOptions`. */
export type HttpGetOptions = Pick<PinnedEgressOptions, 'allow' | 'ca' | 'connect' | 'resolve'>

const NO_URL =
  'Cannot read a source: its URL must be http or https, without a user name or password'
/** Error codes of permanent failures: a retry is useless. */
const PERMANENT_CODES = /^ENOTFOUND$|CERT|LEAF_SIGNATURE/
/** Error codes of failures that rarely resolve within minutes. */
const SLOW_TO_RECOVER_CODES =
  /^(ECONNREFUSED|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPROTO)$|^(ERR_SSL|HPE)_/
const TIMEOUTS: GetTimeouts = {
  connectMs: 10_000,
  headMs: 60_000,
  idleMs: 30_000,
  totalMs: 3_600_000,
}

/**
 * Creates a `Get` on top of `createPinnedEgress`, limited to public addresses and those in `allow`.
 * Never follows a redirect from `https:` to `http:`.
 *
 * @example
 * ```ts
 * import { syncNvd } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 *
 * const { get, close } = createHttpGet({ allow: ['nvd-mirror.internal:8443'] })
 * await syncNvd({ ...deps, get, baseUrl: 'https://nvd-mirror.internal:8443/cves/2.0' })
 * close()
 * ```
 */
export function createHttpGet(options: HttpGetOptions = {}): HttpGet {
  const egress = createPinnedEgress({ ...options, limits: { minBytesPerSecond: 0 } })
  return {
    get: async (url, given) =>
      getWithRedirects({ egress, url: parseSourceUrl(url), options: given }),
    close: egress.close,
  }
}

/**
 * Converts URLs to entries of `allow`. Invalid URLs, and hosts that `allow` doesn't support, are
 * omitted.
 *
 * @example
 * ```ts
 * import { toAllowEntries } from 'api-discovery/egress'
 *
 * toAllowEntries(['http://127.0.0.1:9001/feed.json']) // ['127.0.0.1:9001']
 * ```
 */
export function toAllowEntries(urls: readonly string[]): readonly string[] {
  return urls.flatMap((text) => {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol)) return []
    const entry = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
    return isAllowEntry(entry) ? [entry] : []
  })
}

interface GetCall {
  readonly egress: PinnedEgress
  readonly url: URL
  readonly options: GetOptions
}

async function getWithRedirects({ egress, url: first, options }: GetCall): Promise<GetResponse> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const endsAt = performance.now() + timeouts.totalMs
  const { maxBytes, signal, maxRedirects = 0 } = options
  let url = first
  let headers = toRequestHeaders(options.headers)
  try {
    for (let hops = 0; ; hops += 1) {
      const answer = await egress.send({
        method: 'GET',
        url: url.href,
        headers,
        signal,
        limits: {
          connectMs: timeouts.connectMs,
          firstByteMs: timeouts.headMs,
          idleMs: timeouts.idleMs,
          totalMs: Math.max(0, endsAt - performance.now()),
          maxBodyBytes: maxBytes,
        },
      })
      const location = answer.headers.find(([name]) => name === 'location')?.[1]
      if (maxRedirects === 0 || location === undefined || !isRedirect(answer.status)) {
        return toGetResponse(answer, { name: formatSource(url), maxBytes, signal })
      }
      answer.discard()
      if (hops >= maxRedirects)
        throw createRedirectError(url, `more than ${maxRedirects} redirects`)
      const next = parseSourceUrl(location, url)
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw createRedirectError(url, 'it redirects from https to http')
      }
      if (next.origin !== url.origin) headers = toRequestHeaders(keepAccept(headers))
      url = next
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof EgressError) throw toSourceError(url, error, { ...timeouts, maxBytes })
    if (error instanceof ServiceError && error.code === 'invalid_input' && options.headers) {
      throw new SourceError(error.message, { maxAttempts: 1 })
    }
    throw error
  }
}

function toRequestHeaders(headers: GetOptions['headers']): readonly HeaderLine[] {
  const own = { 'user-agent': `api-discovery/${VERSION}`, 'accept-encoding': 'identity' }
  const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return Object.entries({ ...own, ...Object.fromEntries(lower) })
}

function toGetResponse(
  answer: EgressResponse,
  more: { readonly name: string; readonly maxBytes: number; readonly signal: GetOptions['signal'] },
): GetResponse {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of answer.headers) {
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return {
    status: answer.status,
    headers,
    body: readResponseBody(answer, more),
    discard: () => answer.discard(),
  }
}

function parseSourceUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  const isPlain = url?.username === '' && url.password === ''
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) {
    if (base) throw createRedirectError(base, 'it redirects to an invalid URL')
    throw new ServiceError('invalid_input', NO_URL)
  }
  url.hash = ''
  return url
}

function keepAccept(headers: readonly HeaderLine[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.filter(([name]) => name === 'accept'))
}

/** Formats the URL without its query, which may contain secrets. */
function formatSource(url: URL): string {
  return `${url.origin}${url.pathname}`
}

/** Creates an error without retry: the redirect would be the same next time. */
function createRedirectError(url: URL, reason: string): SourceError {
  return new SourceError(`Cannot read ${formatSource(url)}: ${reason}`, { maxAttempts: 1 })
}

function toSourceError(
  url: URL,
  error: EgressError,
  limits: GetTimeouts & { readonly maxBytes: number },
): SourceError {
  const fail = (reason: string, maxAttempts?: number) =>
    new SourceError(`Cannot read ${formatSource(url)}: ${reason}`, { maxAttempts, cause: error })
  const code = getErrorCode(error.cause)
  switch (error.failure) {
    case 'refused_url':
    case 'refused_address':
      return fail('its address is not allowed', 1)
    case 'connect_timeout':
      return fail(`no connection within ${limits.connectMs / 1000} s`)
    case 'first_byte_timeout':
      return fail(`no response within ${limits.headMs / 1000} s`)
    case 'total_timeout':
    case 'reader_too_slow':
      return fail('the time limit was exceeded')
    case 'too_large':
      if (code === '') return fail(`it is larger than ${limits.maxBytes} bytes`, 1)
  }
  const maxAttempts = PERMANENT_CODES.test(code)
    ? 1
    : SLOW_TO_RECOVER_CODES.test(code)
      ? 3
      : undefined
  return fail(describeErrorCode(code), maxAttempts)
}

function describeErrorCode(code: string): string {
  if (code === 'ENOTFOUND') return 'host not found (ENOTFOUND)'
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}

function getErrorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

interface BodyOptions {
  /** Name of the source in messages. */
  readonly name: string
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

/**
 * Reads a response body in chunks. Throws a `SourceError` if the body is incomplete, too slow or
 * larger than `maxBytes`.
 */
async function* readResponseBody(
  answer: EgressResponse,
  options: BodyOptions,
): AsyncGenerator<Uint8Array> {
  const { name, maxBytes, signal } = options
  let bytes = 0
  try {
    for await (const chunk of answer.body) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw createTooLargeError(options)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    signal?.throwIfAborted()
    if (error.failure === 'too_large') throw createTooLargeError(options)
    throw new SourceError(`Cannot read ${name}: ${describeBodyFailure(error)}`, { cause: error })
  } finally {
    answer.discard()
  }
}

function createTooLargeError({ name, maxBytes }: BodyOptions): SourceError {
  const reason = `it is larger than ${maxBytes} bytes`
  return new SourceError(`Cannot read ${name}: ${reason}`, { maxAttempts: 1 })
}

function describeBodyFailure({ failure, message }: EgressError): string {
  if (failure === 'total_timeout' || failure === 'reader_too_slow')
    return 'the time limit was exceeded'
  return failure === 'too_slow' ? message.replace(/^.*: /, '') : 'its response is incomplete'
}
