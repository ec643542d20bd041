import type { Clock, Random } from '../../ports.ts'
import type { OnSyncEvent } from './events.ts'
import { type GetAnswer, type Sleep, SourceError } from './get.ts'

/** Time and chance, and who is told of waiting. */
export interface RetryDeps {
  readonly clock: Clock
  readonly random: Random
  readonly sleep: Sleep
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: OnSyncEvent | undefined
}

/** Why an attempt failed. */
export interface Failure {
  readonly error: SourceError
  /** How long the source asked to be left alone. */
  readonly retryAfterMs?: number | undefined
}

/** Attempts in a row before a source is given up: some eight minutes. */
const MAX_ATTEMPTS = 8
/** A source that asks for a longer pause is left for another time. */
const MAX_RETRY_AFTER_MS = 15 * 60_000
const FIRST_WAIT_MS = 6_000
const LONGEST_WAIT_MS = 300_000

/**
 * Attempts something until it succeeds, at most eight times, or fewer where the failure says so,
 * with a random pause in between whose bound doubles (full jitter), and never before the source
 * said. An attempt that throws a `SourceError` has failed. Throws the last one, as final.
 */
export async function retry<T>(
  attempt: () => Promise<{ readonly value: T } | Failure>,
  deps: RetryDeps,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    const outcome = await attempt().catch(toFailure)
    if ('value' in outcome) return outcome.value
    const { error, retryAfterMs = 0 } = outcome
    if (error.maxAttempts === 1) throw error
    if (count >= Math.min(MAX_ATTEMPTS, error.maxAttempts)) throw toFinal(error, error.message)
    if (retryAfterMs > MAX_RETRY_AFTER_MS) {
      const minutes = Math.ceil(retryAfterMs / 60_000)
      throw toFinal(error, `${error.message}: try again in ${minutes} minutes`)
    }
    const ms = retryAfterMs + toBackOff(count, deps.random)
    deps.onEvent?.({ kind: 'waiting', ms, reason: error.message })
    await deps.sleep(ms, deps.signal)
  }
}

/** A random wait before attempt `count + 1`, in milliseconds: up to 6 s, 12 s, … 300 s. */
export function toBackOff(count: number, random: Random): number {
  const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1))
  const [a = 0, b = 0, c = 0] = random(3)
  return Math.floor((((a << 16) | (b << 8) | c) / 2 ** 24) * bound)
}

/**
 * Milliseconds that a `Retry-After` header asks for, in seconds or as a date; undefined for what is
 * neither. (RFC 9110 10.2.3)
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Why an answer is not what was asked for; undefined when its status is 200. Lets go of its body. */
export function judgeAnswer(
  answer: GetAnswer,
  given: { readonly name: string; readonly clock: Clock; readonly secret?: string | undefined },
): Failure | undefined {
  const { status, headers } = answer
  if (status === 200) return undefined
  answer.discard()
  const said = toPlain(headers.message ?? '', given.secret)
  const isBusy = [403, 408, 425, 429].includes(status) || status >= 500
  // NVD answers 404 both to what is wrong, saying so in a header, and now and then for no reason.
  const isFinal = !isBusy && !(status === 404 && said === '')
  const reason = `it answered ${status}${said && ` (${said})`}`
  const error = new SourceError(`Cannot read ${given.name}: ${reason}`, {
    maxAttempts: isFinal ? 1 : undefined,
  })
  return { error, retryAfterMs: parseRetryAfter(headers['retry-after'], given.clock()) }
}

/** Origin and path of a URL: its query may hold what nobody else should read. */
export function toSourceName(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? 'the source' : `${parsed.origin}${parsed.pathname}`
}

/** Rethrows what is no failure of the source. */
function toFailure(error: unknown): Failure {
  if (error instanceof SourceError) return { error }
  throw error
}

/** It was tried often enough. */
function toFinal(error: SourceError, message: string): SourceError {
  return new SourceError(message, { maxAttempts: 1, cause: error })
}

/** Text of others, in one line, short, and without the key. */
function toPlain(text: string, secret: string | undefined): string {
  const masked = secret ? text.replaceAll(secret, '…') : text
  return masked
    .replace(/[^\x20-\x7e…]+/g, ' ')
    .trim()
    .slice(0, 200)
}
