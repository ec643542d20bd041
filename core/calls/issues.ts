import { type InputIssue, ServiceError } from '../http/problems.ts'
import { toShownName } from '../shared/shown-name.ts'
import type { Field } from './fields.ts'
import type { ValueRule } from './rules.ts'

/** Collects all that is wrong with the values of one call. */
export interface Issues {
  /** Of a value by the name that its caller wrote. */
  add(name: string, message: string): void
  /** Of what says how to call, beside the values. */
  addToQuery(name: string, message: string): void
  readonly isEmpty: boolean
  /** The error of all of them. */
  toError(): ServiceError
}

/** Creates an empty list of issues for an endpoint that takes these fields. */
export function createIssues(list: readonly Field[]): Issues {
  return new CallIssues(list)
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

/** A class, for an object literal with a getter costs V8 a hidden class of its own each time. */
class CallIssues implements Issues {
  readonly #list: readonly Field[]
  #issues: InputIssue[] | undefined

  constructor(list: readonly Field[]) {
    this.#list = list
  }

  get isEmpty(): boolean {
    return this.#issues === undefined
  }

  add(name: string, message: string): void {
    this.#push({ in: 'body', name: toShownName(name), message })
  }

  addToQuery(name: string, message: string): void {
    this.#push({ in: 'query', name, message })
  }

  #push(issue: InputIssue): void {
    this.#issues ??= []
    if (this.#issues.length < MAX_ISSUES) this.#issues.push(issue)
  }

  toError(): ServiceError {
    return new ServiceError(
      'invalid_input',
      'Cannot call the endpoint: its parameters do not fit',
      {
        issues: this.#issues ?? [],
        extra: { parameters: this.#list.map(describeField) },
      },
    )
  }
}

/** One parameter of the list that an answer shows (contract 4.1): all that its value must fit. */
function describeField({ key, placement, isRequired, rule, parameter }: Field) {
  const { items } = rule
  return {
    name: key,
    placement,
    is_required: isRequired,
    ...describeRule(rule),
    ...rule.range,
    ...(items && (items.types.length > 0 || items.allowed) ? { items: describeRule(items) } : {}),
    ...(parameter?.defaultValue === undefined ? {} : { default: parameter.defaultValue }),
  }
}

function describeRule({ types, allowed }: ValueRule) {
  const listed = allowed && { enum: [...new Set([...allowed].map((text) => text.trim()))] }
  return { type: types.join(' | ') || 'any', ...listed }
}
