import { type InputIssue, ServiceError } from '../http/problems.ts'
import type { Field } from './fields.ts'

/** Collects all that is wrong with the values of one call. */
export interface Issues {
  add(name: string, message: string): void
  readonly isEmpty: boolean
  /** The error of all of them. */
  toError(): ServiceError
}

/** Creates an empty list of issues for an endpoint that takes these fields. */
export function createIssues(list: readonly Field[]): Issues {
  let issues: InputIssue[] | undefined
  return {
    add(name, message) {
      issues ??= []
      if (issues.length < MAX_ISSUES) issues.push({ in: 'body', name, message })
    },
    get isEmpty() {
      return issues === undefined
    },
    toError: () =>
      new ServiceError('invalid_input', 'Cannot call the endpoint: its parameters do not fit', {
        issues: issues ?? [],
        extra: { parameters: list.map(describeField) },
      }),
  }
}

/** Runs a writer. Text that cannot be encoded, and values nested too deep, are issues of the name. */
export function attempt<T>(name: string, issues: Issues, write: () => T): T | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof URIError) issues.add(name, 'is not well-formed text')
    else if (error instanceof RangeError) issues.add(name, 'is nested too deep')
    else throw error
    return undefined
  }
}

const MAX_ISSUES = 200

/** One parameter of the list that an answer shows (contract 4.1). */
function describeField({ key, placement, isRequired, rule, parameter }: Field) {
  return {
    name: key,
    placement,
    is_required: isRequired,
    type: rule.types.join(' | ') || 'any',
    ...(rule.allowed ? { enum: [...rule.allowed] } : {}),
    ...(parameter?.defaultValue === undefined ? {} : { default: parameter.defaultValue }),
  }
}
