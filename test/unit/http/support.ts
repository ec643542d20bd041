import type { HttpRequest, HttpResponse } from '../../../core/http/message.ts'

/** The members of a request that a test sets. */
export interface RequestParts {
  /** Default: GET. */
  readonly method?: string
  readonly target?: string
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** One chunk, or several chunks in order. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[]
  readonly hasLostBody?: boolean
}

/** A request as a server adapter creates it. */
export function toHttpRequest(parts: RequestParts): HttpRequest {
  const { method = 'GET', target = '/', headers = {}, body, hasLostBody = false } = parts
  return {
    method,
    target,
    header: (name) => headers[name.toLowerCase()],
    body: body === undefined ? undefined : toChunks(Array.isArray(body) ? body : [body]),
    signal: new AbortController().signal,
    clientAddress: '127.0.0.1',
    hasLostBody,
  }
}

/** Encodes a text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Reads the whole response body as text. */
export async function readText({ body }: Pick<HttpResponse, 'body'>): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** Returns the error that a function throws, or with which a promise rejects. */
export async function catchError(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('It was expected to fail')
}

async function* toChunks(parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? encodeUtf8(part) : part
}
