import { type InputIssue, ServiceError } from '../errors.ts'
import type { ParamLocations } from './input.ts'
import type { HttpRequest } from './message.ts'
import type { Operation } from './operation.ts'

/**
 * Sets the location of each issue to the one in which the request had the parameter, which may
 * differ from the documented one. For a GET without a body, missing form parameters are reported in
 * the query. An issue inside a parameter has a dotted name, `values.city`, and takes the
 * parameter's location.
 */
export function locateIssues(
  error: ServiceError,
  call: {
    readonly request: HttpRequest
    /** Locations of the parameters that were read. */
    readonly placements: ParamLocations
    /** Undefined if no operation matches the request. */
    readonly target: { readonly operation: Operation } | undefined
  },
): ServiceError {
  const { request, placements, target } = call
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
