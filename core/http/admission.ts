import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { HttpRequest, HttpResponse } from './message.ts'
import { ServiceError } from './problems.ts'
import { isNodeStream, isStream } from './streams.ts'

/** An admitted call: headers for its answer, and what to do when it is over, at least once. */
export interface Admission {
  readonly headers: Readonly<Record<string, string>>
  leave(): void
}

/**
 * Runs an admitted call. It is over when its answer has ended: a streamed one when its last bytes
 * were taken, or when it broke off. Failures carry the admission's headers as well. Answers without
 * a promise when the call does.
 */
export function runAdmitted<Response extends HttpResponse>(
  admission: Admission,
  call: { readonly request: HttpRequest; readonly work: () => MaybePromise<Response> },
): MaybePromise<Response> {
  const { request, work } = call
  const fail = (error: unknown): never => {
    admission.leave()
    throw error instanceof ServiceError ? withHeaders(error, admission.headers) : error
  }
  let result: MaybePromise<Response>
  try {
    result = work()
  } catch (error) {
    return fail(error)
  }
  if (!(result instanceof Promise)) return leaveAtEnd(result, { admission, request })
  return result.then((response) => leaveAtEnd(response, { admission, request }), fail)
}

function leaveAtEnd<Response extends HttpResponse>(
  response: Response,
  call: { readonly admission: Admission; readonly request: HttpRequest },
): Response {
  const { admission, request } = call
  const headers = Object.assign(response.headers, admission.headers)
  const { body } = response
  if (!isStream(body) || request.method === 'HEAD') {
    admission.leave()
    return response
  }
  request.signal.addEventListener('abort', () => admission.leave(), { once: true })
  if (!isNodeStream(body)) {
    return { ...response, headers, body: endWith(body, () => admission.leave()) }
  }
  for (const event of ['end', 'close'] as const) body.once(event, () => admission.leave())
  return response
}

/** The same stream, telling when it has ended, in whichever way and even before it began. */
function endWith(body: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncIterable<Uint8Array> {
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

function withHeaders(error: ServiceError, headers: Admission['headers']): ServiceError {
  const { code, message, issues, retryAfter, extra, cause } = error
  return new ServiceError(code, message, {
    issues,
    extra,
    headers: { ...headers, ...error.headers },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(cause === undefined ? {} : { cause }),
  })
}
