import * as v from 'valibot'
import { type InputIssue, ServiceError } from '../errors.ts'
import { toDisplayName } from '../shared/display-name.ts'
import { toIssueMessage } from '../shared/issue-text.ts'
import type { ParamLocations } from './input.ts'
import type { HttpRequest } from './message.ts'
import type { Operation } from './operation.ts'

/**
 * Checks a value and adds all issues to `issues`, at most a hundred. Returns undefined if there are
 * any.
 */
export function checkValue(schema: v.GenericSchema, value: unknown, issues: InputIssue[]): unknown {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const known = result.issues.filter((issue) => !isUnknownMember(issue))
  const unknown = findUnknownMembers(schema, value)
  for (const issue of known.slice(0, MAX_ISSUES)) {
    issues.push(toBodyIssue(v.getDotPath(issue) ?? '', toIssueMessage(issue)))
  }
  for (const name of unknown.slice(0, Math.max(0, MAX_ISSUES - known.length))) {
    issues.push(toBodyIssue(name, 'is unknown'))
  }
  const more = known.length + unknown.length - MAX_ISSUES
  if (more > 0) issues.push(toBodyIssue('', `has ${more} more issues`))
  return undefined
}

/** Creates the error of an input with issues; it contains all of them. */
export function createInvalidInputError(issues: readonly InputIssue[]): ServiceError {
  const detail = issues.map((issue) => `${issue.name || issue.in} ${issue.message}`).join('; ')
  return new ServiceError('invalid_input', detail, { issues })
}

/**
 * A body of a megabyte can cause hundreds of thousands: the response must not exceed it in size.
 */
const MAX_ISSUES = 100

function toBodyIssue(path: string, message: string): InputIssue {
  return { in: 'body', name: toDisplayName(path), message }
}

/**
 * A strict object reports only the first of its unknown members, so `findUnknownMembers` collects
 * them.
 */
function isUnknownMember({ type, expected, path }: v.BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never' && path?.length === 1
}

function findUnknownMembers(schema: v.GenericSchema, value: unknown): readonly string[] {
  if (schema.type !== 'strict_object' || typeof value !== 'object' || value === null) return []
  const { entries } = schema as v.StrictObjectSchema<v.ObjectEntries, undefined>
  return Object.keys(value).filter((name) => !Object.hasOwn(entries, name))
}

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
