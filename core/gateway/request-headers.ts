import type { HeaderLine } from '../egress/egress.ts'
import type { ForwardedHeader } from '../http/operation.ts'

/** How a caller wants to be answered. */
export interface CallerHeaders {
  readonly accept?: string | undefined
  header?(name: ForwardedHeader): string | undefined
}

/**
 * What goes along of the caller's own request, and nothing else does; `accept` and
 * `accept-encoding` besides.
 */
const FORWARDED: readonly ForwardedHeader[] = [
  'accept-language',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
]

/** Headers of a caller that do not refer to a resource of one origin. */
const PORTABLE: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
])

/** What the headers of a call depend on, besides its description. */
export interface AddedHeaders {
  readonly caller: CallerHeaders
  /** For callers that accept anything. */
  readonly accept: string
  /** The answer must arrive without an encoding. */
  readonly isPlain: boolean
  readonly userAgent: string
}

/**
 * The headers that a call sends to an origin that it is redirected to: those of the caller and of the
 * gateway. Values of credentials and described parameters stay at their origin, whatever their name.
 */
export function toPortableHeaders(more: AddedHeaders): readonly HeaderLine[] {
  return addHeaders([], more).filter(([name]) => PORTABLE.has(name))
}

/** The headers of a call with those of its caller and our own; those of the description win. */
export function addHeaders(
  described: readonly HeaderLine[],
  more: AddedHeaders,
): readonly HeaderLine[] {
  const { caller, userAgent } = more
  const headers = [...described]
  const add = (name: string, value: string | undefined) => {
    if (value === undefined) return
    for (const [known] of described) if (known === name) return
    headers.push([name, value])
  }
  const { accept = '*/*' } = caller
  add('accept', accept === '*/*' ? more.accept : accept)
  const encodings = more.isPlain ? undefined : caller.header?.('accept-encoding')
  add('accept-encoding', encodings ?? 'identity')
  add('user-agent', userAgent)
  if (caller.header) for (const name of FORWARDED) add(name, caller.header(name))
  return headers
}
