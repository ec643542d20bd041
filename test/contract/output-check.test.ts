import { describe, expect, it } from 'vitest'
import { contract } from '../../core/contract.ts'
import { findOutputIssue } from './output-check.ts'

const json = { 'content-type': 'application/json' }
const problem = { 'content-type': 'application/problem+json' }
const row = { id: 1, endpoint: 'x', method: 'get', description: '', endpoint_id: 'abcdefg' }

function check(value: unknown, headers = json, status = 200): string | undefined {
  const answer = { status, headers, body: JSON.stringify(value) }
  return findOutputIssue(contract.listEndpoints, answer)
}

describe('the output check', () => {
  it('accepts the members of the schema', () => {
    expect([check([]), check([row, row])]).toEqual([undefined, undefined])
  })

  it('finds unknown and missing members, and incorrect types', () => {
    expect(check([row, { ...row, extra: 1 }])).toContain('undocumented members')
    expect(check([{ ...row, id: '1' }])).toContain('id')
    expect(check([{ ...row, method: undefined }])).toContain('method')
    expect(check({ rows: [] })).toBe('has no rows')
    expect(check([], json, 201)).toContain('must be 200')
  })

  it('finds problem documents that are inconsistent or reveal too much', () => {
    const document = {
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      detail: 'x',
      code: 'not_found',
      request_id: 'r',
    }
    expect(check(document, problem, 404)).toBeUndefined()
    expect(check(document, problem, 400)).toContain('do not agree')
    expect(check({ ...document, stack: 'at x' }, problem, 404)).toContain('stack')
    expect(check({ ...document, info: 'x', result: 'Failure' }, problem, 404)).toContain('info')
  })
})
