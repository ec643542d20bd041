import { type InputIssue, ServiceError } from '../errors.ts'
import { toDisplayName } from '../shared/display-name.ts'
import { describeField } from './describe-parameters.ts'
import type { Field } from './fields.ts'

/** Collects the issues of one call. */
export interface Issues {
  /** Adds an issue with a value, by the name that the caller used. */
  add(name: string, message: string): void
  /** Adds an issue with an option of the call, such as the server. */
  addToQuery(name: string, message: string): void
  readonly isEmpty: boolean
  /** Creates an error with all issues. */
  toError(): ServiceError
}

/** Creates an empty list of issues for an endpoint with these fields. */
export function createIssues(list: readonly Field[]): Issues {
  return new CallIssues(list)
}

/** Runs a writer. Records an issue if a value cannot be encoded or is nested too deeply. */
export function tryWrite<T>(name: string, issues: Issues, write: () => T): T | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof URIError) issues.add(name, 'is not well-formed Unicode')
    else if (error instanceof RangeError) issues.add(name, 'is nested too deeply')
    else throw error
    return undefined
  }
}

const MAX_ISSUES = 200

/** A class because V8 creates a hidden class for each object literal with a getter. */
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
    this.#push({ in: 'body', name: toDisplayName(name), message })
  }

  addToQuery(name: string, message: string): void {
    this.#push({ in: 'query', name, message })
  }

  #push(issue: InputIssue): void {
    this.#issues ??= []
    if (this.#issues.length < MAX_ISSUES) this.#issues.push(issue)
  }

  toError(): ServiceError {
    return new ServiceError('invalid_input', 'Cannot call the endpoint: invalid parameters', {
      issues: this.#issues ?? [],
      extra: { parameters: this.#list.map(describeField) },
    })
  }
}
