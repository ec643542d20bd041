import type { Clock } from '../../ports/clock.ts'
import { type GetResponse, SourceError } from '../../ports/get.ts'
import type { Random } from '../../ports/random.ts'
import type { OnSyncEvent } from './events.ts'
import type { Sleep } from './sleep.ts'

/** Clock, random numbers, and a listener for waits. */
export interface RetryDeps {
  readonly clock: Clock
  readonly random: Random
  readonly sleep: Sleep
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: OnSyncEvent | undefined
}

/** Why an attempt failed. */
export interface SourceFailure {
  readonly error: SourceError
  /** How long the source asked clients to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/** Limit on attempts in a row: about eight minutes. */
const MAX_ATTEMPTS = 8
/** A source that asks for a longer wait is not tried again. */
const MAX_RETRY_AFTER_MS = 15 * 60_000
const FIRST_WAIT_MS = 6_000
const LONGEST_WAIT_MS = 300_000

/**
 * Retries an attempt until it succeeds: at most eight times, or fewer if the failure says so. Waits
 * a random time in between, whose bound doubles (full jitter), after any time that the source
 * requested. An attempt that throws a `SourceError` has failed. Throws the last error as final.
 */
export async function retry<T>(
  attempt: () => Promise<{ readonly value: T } | SourceFailure>,
  deps: RetryDeps,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    const outcome = await attempt().catch(toSourceFailure)
    if ('value' in outcome) return outcome.value
    const { error, retryAfterMs = 0 } = outcome
    if (error.maxAttempts === 1) throw error
    if (count >= Math.min(MAX_ATTEMPTS, error.maxAttempts)) throw toFinalError(error, error.message)
    if (retryAfterMs > MAX_RETRY_AFTER_MS) {
      const minutes = Math.ceil(retryAfterMs / 60_000)
      throw toFinalError(error, `${error.message}: try again in ${minutes} minutes`)
    }
    const ms = retryAfterMs + toBackOff(count, deps.random)
    deps.onEvent?.({ kind: 'waiting', ms, reason: error.message })
    await deps.sleep(ms, deps.signal)
  }
}

/** Returns a random wait before attempt `count + 1`, in milliseconds: up to 6 s, 12 s, … 300 s. */
export function toBackOff(count: number, random: Random): number {
  const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1))
  const [a = 0, b = 0, c = 0] = random(3)
  return Math.floor((((a << 16) | (b << 8) | c) / 2 ** 24) * bound)
}

/**
 * Parses a `Retry-After` header, in seconds or as a date, to milliseconds; undefined if invalid
 * (RFC 9110 section 10.2.3).
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Explains why a response is unusable and discards its body; undefined if its status is 200. */
export function checkResponse(
  response: GetResponse,
  options: {
    readonly name: string
    readonly clock: Clock
    readonly secret?: string | undefined
    /**
     * Whether a 404 without a reason is temporary: NVD's API responds so to invalid requests, with
     * the reason in a header, and sometimes without reason.
     */
    readonly retriesNotFound?: boolean | undefined
  },
): SourceFailure | undefined {
  const { status, headers } = response
  if (status === 200) return undefined
  response.discard()
  const said = sanitizeText(headers.message ?? '', options.secret)
  const isBusy = [403, 408, 425, 429].includes(status) || status >= 500
  const isFinal = !isBusy && !(options.retriesNotFound && status === 404 && said === '')
  const reason = `it responded with ${status}${said && ` (${said})`}`
  const error = new SourceError(`Cannot read ${options.name}: ${reason}`, {
    maxAttempts: isFinal ? 1 : undefined,
  })
  return { error, retryAfterMs: parseRetryAfter(headers['retry-after'], options.clock()) }
}

/** Returns the origin and path of a URL; its query may contain secrets. */
export function toSourceName(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? 'the source' : `${parsed.origin}${parsed.pathname}`
}

/** Rethrows errors that are not failures of the source. */
function toSourceFailure(error: unknown): SourceFailure {
  if (error instanceof SourceError) return { error }
  throw error
}

/** Marks the error of the last attempt as final. */
function toFinalError(error: SourceError, message: string): SourceError {
  return new SourceError(message, { maxAttempts: 1, cause: error })
}

/** Shortens a foreign text to one line and masks the key. */
function sanitizeText(text: string, secret: string | undefined): string {
  const masked = secret ? text.replaceAll(secret, '…') : text
  return masked
    .replace(/[^\x20-\x7e…]+/g, ' ')
    .trim()
    .slice(0, 200)
}
