import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { locateIssues } from '../../../core/http/input-issues.ts'
import { askJson, createSmallService, smallOperations } from './small-service.ts'
import { type RequestParts, toHttpRequest } from './support.ts'

const service = createSmallService()
const size = { name: 'size', message: 'must be an integer from 1 to 9' }
const missing = { name: 'id', message: 'is required' }
const LONG = 'x'.repeat(21)
const long = { name: 'name', message: 'must be at most 20 characters long' }
const IMPORT = { 'api-key': 'other' }

describe('an issue of a parameter is located', () => {
  it.each<readonly [string, RequestParts, unknown]>([
    ['of the query', { target: '/api/form?id=x&size=10' }, [{ in: 'query', ...size }]],
    [
      'of the query of a POST',
      { method: 'POST', target: '/api/form?size=10', body: 'id=x' },
      [{ in: 'query', ...size }],
    ],
    [
      'of the body',
      { method: 'POST', target: '/api/form?id=x', body: 'size=10' },
      [{ in: 'form', ...size }],
    ],
    [
      'of the body of a GET, and what is missing with it',
      { target: '/api/form', body: 'size=10' },
      [
        { in: 'form', ...missing },
        { in: 'form', ...size },
      ],
    ],
    ['as missing in the query of a GET', { target: '/api/form' }, [{ in: 'query', ...missing }]],
    [
      'as missing in the form of a POST',
      { method: 'POST', target: '/api/form' },
      [{ in: 'form', ...missing }],
    ],
    [
      'of the header where there is one',
      {
        ...{ method: 'POST', target: '/api/file?name=x', body: 'plain' },
        headers: { ...IMPORT, name: LONG },
      },
      [{ in: 'header', ...long }],
    ],
    [
      'of the query instead of a header',
      { method: 'POST', target: `/api/file?name=${LONG}`, body: 'plain', headers: IMPORT },
      [{ in: 'query', ...long }],
    ],
    [
      'of the form instead of a header',
      { method: 'POST', target: '/api/file', body: `name=${LONG}&file=x`, headers: IMPORT },
      [{ in: 'form', ...long }],
    ],
    [
      'of the form where it is given twice',
      { method: 'POST', target: '/api/form?size=1', body: 'id=x&id=y&size=1&size=2' },
      [{ in: 'form', name: 'id', message: 'must be present only once' }],
    ],
  ])('%s', async (_, parts, errors) => {
    const [status, problem] = await askJson(service, parts)
    expect([status, problem.errors]).toEqual([400, errors])
  })

  it('for a handler as well, by the parameter before the dot', () => {
    const issues = ['id.a.b', 'id', 'none.a'].map((name) => ({
      in: 'form' as const,
      name,
      message: '',
    }))
    const error = new ServiceError('budget_exhausted', 'No', {
      issues,
      retryAfter: 7,
      extra: { a: 1 },
    })
    const request = toHttpRequest({ method: 'POST', body: '' })
    const target = { operation: smallOperations.readForm }
    const placements = new Map([['id', 'query' as const]])
    const placed = locateIssues(error, { target, request, placements })
    expect(placed).toMatchObject({
      ...{ code: 'budget_exhausted', message: 'No', retryAfter: 7, extra: { a: 1 } },
      issues: issues.map((issue, index) => (index < 2 ? { ...issue, in: 'query' } : issue)),
    })
  })
})
