import type { ForwardedHeader } from '../http/operation.ts'
import type { HeaderLine } from '../ports/egress.ts'

/** Response preferences of a caller. */
export interface CallerHeaders {
  readonly accept?: string | undefined
  header?(name: ForwardedHeader): string | undefined
}

/** The only caller headers that are forwarded, in addition to `accept` and `accept-encoding`. */
const FORWARDED_HEADERS: readonly ForwardedHeader[] = [
  'accept-language',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
]

/** Caller headers that do not refer to a resource of one origin. */
const PORTABLE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
])

/** Determines the headers of a call, in addition to its description. */
export interface HeaderOptions {
  readonly caller: CallerHeaders
  /** Used if the caller accepts any media type. */
  readonly accept: string
  /** True if the response must have no content encoding. */
  readonly isPlain: boolean
  readonly userAgent: string
}

/**
 * Returns the headers for a redirect to another origin: only those of the caller and the gateway.
 * Credentials and described parameters are never sent to another origin, whatever their name.
 */
export function toPortableHeaders(options: HeaderOptions): readonly HeaderLine[] {
  return addHeaders([], options).filter(([name]) => PORTABLE_HEADERS.has(name))
}

/** Adds headers of the caller and the gateway. Described headers take precedence. */
export function addHeaders(
  described: readonly HeaderLine[],
  options: HeaderOptions,
): readonly HeaderLine[] {
  const { caller, userAgent } = options
  const headers = [...described]
  const add = (name: string, value: string | undefined) => {
    if (value === undefined) return
    for (const [known] of described) if (known === name) return
    headers.push([name, value])
  }
  const { accept = '*/*' } = caller
  add('accept', accept === '*/*' ? options.accept : accept)
  const encodings = options.isPlain ? undefined : caller.header?.('accept-encoding')
  add('accept-encoding', encodings ?? 'identity')
  add('user-agent', userAgent)
  if (caller.header) for (const name of FORWARDED_HEADERS) add(name, caller.header(name))
  return headers
}
