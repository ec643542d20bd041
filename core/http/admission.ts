import { ServiceError } from '../errors.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { HttpRequest, HttpResponse } from './message.ts'
import { isNodeStream, isStream } from './streams.ts'

/**
 * An admitted call: the headers of its response, and the function to call at least once when it
 * ends.
 */
export interface Admission {
  readonly headers: Readonly<Record<string, string>>
  release(): void
}

/**
 * Runs an admitted call. It ends with its response: for a stream, after the last bytes were read or
 * the stream broke off. Failures carry the admission's headers as well. Returns synchronously if
 * the call does.
 */
export function runAdmitted<Response extends HttpResponse>(
  admission: Admission,
  call: { readonly request: HttpRequest; readonly work: () => MaybePromise<Response> },
): MaybePromise<Response> {
  const { request, work } = call
  const fail = (error: unknown): never => {
    admission.release()
    throw error instanceof ServiceError ? addErrorHeaders(error, admission.headers) : error
  }
  let result: MaybePromise<Response>
  try {
    result = work()
  } catch (error) {
    return fail(error)
  }
  if (!(result instanceof Promise)) return releaseAtEnd(result, { admission, request })
  return result.then((response) => releaseAtEnd(response, { admission, request }), fail)
}

function releaseAtEnd<Response extends HttpResponse>(
  response: Response,
  call: { readonly admission: Admission; readonly request: HttpRequest },
): Response {
  const { admission, request } = call
  const headers = Object.assign(response.headers, admission.headers)
  const { body } = response
  if (!isStream(body) || request.method === 'HEAD') {
    admission.release()
    return response
  }
  request.signal.addEventListener('abort', () => admission.release(), { once: true })
  if (!isNodeStream(body)) {
    return { ...response, headers, body: observeEnd(body, () => admission.release()) }
  }
  for (const event of ['end', 'close'] as const) body.once(event, () => admission.release())
  return response
}

/**
 * Wraps a stream to report its end: completion, failure, or cancellation, even before the first
 * read.
 */
function observeEnd(body: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const result = await iterator.next()
            if (result.done) onEnd()
            return result
          } catch (error) {
            onEnd()
            throw error
          }
        },
        async return(value?: unknown) {
          onEnd()
          return (await iterator.return?.(value)) ?? { done: true, value: undefined }
        },
      }
    },
  }
}

function addErrorHeaders(error: ServiceError, headers: Admission['headers']): ServiceError {
  const { code, message, issues, retryAfter, extra, cause } = error
  return new ServiceError(code, message, {
    issues,
    extra,
    headers: { ...headers, ...error.headers },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(cause === undefined ? {} : { cause }),
  })
}
