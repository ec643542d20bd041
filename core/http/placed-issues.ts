import type { Placements } from './input.ts'
import type { HttpRequest } from './message.ts'
import type { Operation } from './operation.ts'
import { type InputIssue, ServiceError } from './problems.ts'

/**
 * The error, its issues placed where a request had the parameters: they are documented in one place
 * and taken from others. Of those that are nowhere in a GET without a body, that is the query. An
 * issue inside a parameter is named behind a dot, `values.city`, and placed with it.
 */
export function placeIssues(
  error: ServiceError,
  given: {
    readonly request: HttpRequest
    /** Where it had those that were read. */
    readonly placements: Placements
    /** Undefined where no operation is meant. */
    readonly target: { readonly operation: Operation } | undefined
  },
): ServiceError {
  const { request, placements, target } = given
  const params = target?.operation.params
  if (!params || error.issues.length === 0) return error
  const hasBody = request.body !== undefined || request.hasLostBody === true
  const issues = error.issues.map((issue): InputIssue => {
    const name = toParamName(issue.name)
    if (!Object.hasOwn(params, name) || issue.in === 'body') return issue
    const isBare = issue.in === 'form' && request.method === 'GET' && !hasBody
    return { ...issue, in: placements.get(name) ?? (isBare ? 'query' : issue.in) }
  })
  const { code, message, retryAfter, extra, headers, cause } = error
  return new ServiceError(code, message, {
    ...{ issues, extra, headers, cause },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

function toParamName(name: string): string {
  const dot = name.indexOf('.')
  return dot === -1 ? name : name.slice(0, dot)
}
