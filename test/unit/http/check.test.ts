import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { InputIssue } from '../../../core/errors.ts'
import { checkValue, createInvalidInputError } from '../../../core/http/input-issues.ts'

const schema = v.strictObject({ name: v.string(), codes: v.optional(v.array(v.number())) })

function check(value: unknown): readonly InputIssue[] {
  const issues: InputIssue[] = []
  checkValue(schema, value, issues)
  return issues
}

describe('issues of a body', () => {
  it('cover all members at once, including all unknown ones', () => {
    expect(check({ b: 1, codes: ['x', 1, null], a: 2 })).toEqual([
      { in: 'body', name: 'name', message: 'is required' },
      { in: 'body', name: 'codes.0', message: 'must be a number' },
      { in: 'body', name: 'codes.2', message: 'must be a number' },
      { in: 'body', name: 'b', message: 'is unknown' },
      { in: 'body', name: 'a', message: 'is unknown' },
    ])
  })

  it('are limited to a hundred, so that the response stays small', () => {
    const issues = check({ codes: Array.from({ length: 200_000 }, () => '') })
    expect(issues).toHaveLength(101)
    expect(issues.at(-1)).toEqual({ in: 'body', name: '', message: 'has 199901 more issues' })
    expect(createInvalidInputError(issues).message.length).toBeLessThan(5_000)
    const unknown = Array.from({ length: 50_000 }, (_, index) => [`member${index}`, 1])
    expect(check({ name: 'x', ...Object.fromEntries(unknown) })).toHaveLength(101)
  })

  it('have names of at most a hundred characters', () => {
    const [issue] = check({ name: 'x', ['k'.repeat(900_000)]: 1 })
    expect(issue).toEqual({ in: 'body', name: `${'k'.repeat(99)}…`, message: 'is unknown' })
  })
})
