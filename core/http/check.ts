import * as v from 'valibot'
import { type InputIssue, ServiceError } from './problems.ts'

/** The checked value, or undefined with the issues added to `issues`. */
export function checkValue(schema: v.GenericSchema, value: unknown, issues: InputIssue[]): unknown {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  for (const issue of result.issues) {
    issues.push({ in: 'body', name: v.getDotPath(issue) ?? '', message: issue.message })
  }
  return undefined
}

/** The error for an input with issues; all of them are in it. */
export function invalidInput(issues: readonly InputIssue[]): ServiceError {
  const detail = issues.map((issue) => `${issue.name || issue.in} ${issue.message}`).join('; ')
  return new ServiceError('invalid_input', detail, { issues })
}
