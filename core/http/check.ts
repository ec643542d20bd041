import * as v from 'valibot'
import { type InputIssue, ServiceError } from './problems.ts'

/** The checked value, or undefined with the issues added to `issues`. */
export function checkValue(schema: v.GenericSchema, value: unknown, issues: InputIssue[]): unknown {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  for (const issue of result.issues) {
    issues.push({ in: 'body', name: v.getDotPath(issue) ?? '', message: toMessage(issue) })
  }
  return undefined
}

/** The error for an input with issues; all of them are in it. */
export function invalidInput(issues: readonly InputIssue[]): ServiceError {
  const detail = issues.map((issue) => `${issue.name || issue.in} ${issue.message}`).join('; ')
  return new ServiceError('invalid_input', detail, { issues })
}

/** The schema's own words where it has some; never the value, which may be of any size. */
function toMessage(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message
  if (issue.received === 'undefined') return 'is required'
  if (issue.expected === 'never') return 'is unknown'
  return issue.expected === null ? 'is not valid' : `must be ${withArticle(issue.expected)}`
}

function withArticle(expected: string): string {
  if (!/^[A-Za-z]+$/.test(expected)) return expected
  return `${/^[aeiou]/i.test(expected) ? 'an' : 'a'} ${expected.toLowerCase()}`
}
