import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../core/catalogue/records.ts'
import { issuesOf, toLine, toPlan } from './support.ts'

function planOf(path: string, shape: Partial<Parameter> = {}) {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  return toPlan({
    path,
    parameters: names.map((name) => ({ name, placement: 'path' as const, ...shape })),
  })
}

const DOTS = 'must not contain . or .. as a path segment'

describe('Values in a path', () => {
  it.each([
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['a b', 'a%20b'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2f', '%252f'],
    ["it's(a)*!", 'it%27s%28a%29%2A%21'],
    ['ü€😀', '%C3%BC%E2%82%AC%F0%9F%98%80'],
    ['a..b', 'a..b'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['@me:~x', '%40me%3A~x'],
  ])('encode %j', (id, sent) => {
    expect(toLine(planOf('/things/{id}/parts').build({ id }))).toBe(`/things/${sent}/parts`)
  })

  it.each([
    '.',
    '..',
    '../admin',
    'a/../../b',
    '..\\b',
    '%2e%2e',
    '%2E.',
    '%252e%252e',
    '..%2fadmin',
    '%2e%2e%5cadmin',
    '..;/admin',
    './a',
  ])('refuse %j, which some servers resolve to another path', (id) => {
    expect(issuesOf(() => planOf('/things/{id}/parts').build({ id }))).toEqual({ id: DOTS })
  })

  it('refuse empty strings and control characters', () => {
    const plan = planOf('/things/{id}')
    expect(issuesOf(() => plan.build({ id: '' }))).toEqual({
      id: 'must not be empty: it is part of the path',
    })
    expect(issuesOf(() => plan.build({ id: 'a\r\nb' }))).toEqual({
      id: 'must not contain control characters: it is part of the path',
    })
    expect(issuesOf(() => plan.build({ id: '\ud800' }))).toEqual({
      id: 'is not well-formed Unicode',
    })
  })

  it('refuse dot segments that the style creates', () => {
    const plan = planOf('/x/{a}', { style: 'label', type: '' })
    expect(issuesOf(() => plan.build({ a: [] }))).toEqual({
      a: 'must not form . or .. as a path segment',
    })
    expect(issuesOf(() => planOf('/x/{a}{b}').build({ a: '.', b: '.' }))).toEqual({
      a: DOTS,
      b: DOTS,
    })
  })

  it('check every item of a list', () => {
    expect(issuesOf(() => planOf('/x/{a}', { type: 'array' }).build({ a: ['b', '..'] }))).toEqual({
      a: DOTS,
    })
    for (const a of [['b', ['/../']], [{ b: 'x/../..' }]]) {
      expect(issuesOf(() => planOf('/x/{a}', { type: 'array' }).build({ a }))).toEqual({ a: DOTS })
    }
    expect(issuesOf(() => planOf('/x/{a}', { type: 'array' }).build({ a: [] }))).toEqual({
      a: 'must not be empty: it is part of the path',
    })
  })
})

describe('JSON in a path', () => {
  it('contains no dot segments at any depth', () => {
    const plan = planOf('/x/{a}', { type: 'object', contentType: 'application/json' })
    expect(toLine(plan.build({ a: { b: { c: 'd.e' } } }))).toBe(
      '/x/%7B%22b%22%3A%7B%22c%22%3A%22d.e%22%7D%7D',
    )
    expect(issuesOf(() => plan.build({ a: { b: { c: 'x/../../y' } } }))).toEqual({ a: DOTS })
  })
})

describe('Path templates', () => {
  it('keep their query and drop a fragment', () => {
    const query = { name: 'q', placement: 'query' as const }
    const fixed = toPlan({ path: '/rest?method=a.b#c', parameters: [query] })
    expect(toLine(fixed.build({ q: 'x' }))).toBe('/rest?method=a.b&q=x')
    expect(toLine(fixed.build({}))).toBe('/rest?method=a.b')
    const open = toPlan({ path: '/rest?', parameters: [query] })
    expect(toLine(open.build({ q: 'x' }))).toBe('/rest?q=x')
  })

  it('support placeholders within a segment and within a query', () => {
    const plan = planOf('/files/{name}.{kind}?v={v}')
    expect(toLine(plan.build({ name: 'a/b', kind: 'json', v: '..' }))).toBe(
      '/files/a%2Fb.json?v=..',
    )
  })

  it('are encoded if they are no valid URL', () => {
    expect(toLine(toPlan({ path: '/ü b/100%/%41' }).build({}))).toBe('/%C3%BC%20b/100%25/%41')
    expect(toLine(toPlan({ path: 'things' }).build({}))).toBe('/things')
  })

  it('refuse a value without a placeholder', () => {
    const plan = toPlan({
      path: '/files/?*path',
      parameters: [{ name: 'path', placement: 'path' }],
    })
    expect(issuesOf(() => plan.build({ path: 'a' }))).toEqual({
      path: 'cannot be sent: the path has no {path}',
    })
    expect(issuesOf(() => plan.build({}))).toEqual({ path: 'is required' })
  })

  it('omit a described parameter without a placeholder', () => {
    const plan = toPlan({
      path: '/accounts',
      parameters: [{ name: 'account', placement: 'path' }],
    })
    expect(toLine(plan.build({}))).toBe('/accounts')
    expect(issuesOf(() => plan.build({ account: 'a' }))).toEqual({
      account: 'cannot be sent: the path has no {account}',
    })
  })
})
