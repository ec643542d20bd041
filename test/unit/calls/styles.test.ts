import { describe, expect, it } from 'vitest'
import type { Parameter, ParameterPlacement } from '../../../core/catalogue/records.ts'
import { issuesOf, toLine, toPlan } from './support.ts'

const LIST = ['blue', 'black', 'brown']
const OBJECT = { R: 100, G: 200, B: 150 }

function buildStyledCall(
  placement: ParameterPlacement,
  shape: Partial<Parameter>,
  color: unknown,
): string {
  const path = placement === 'path' ? '/c/{color}' : '/c'
  const plan = toPlan({ path, parameters: [{ name: 'color', placement, type: '', ...shape }] })
  const call = plan.build({ color })
  const header = call.headers[0]
  return header ? header[1] : toLine(call).slice(2).replace(/^\//, '')
}

describe("OpenAPI 3 styles, as in the specification's table of examples", () => {
  it.each([
    ['matrix', false, ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue,black,brown', 'R=100,G=200,B=150'],
  ])('write %s with explode %s in a path', (style, explode, list, object) => {
    expect(buildStyledCall('path', { style, explode }, LIST)).toBe(list)
    expect(buildStyledCall('path', { style, explode }, OBJECT)).toBe(object)
  })

  it.each([
    ['matrix', ';color=blue'],
    ['label', '.blue'],
    ['simple', 'blue'],
  ])('write a scalar as %s in a path', (style, text) => {
    expect(buildStyledCall('path', { style }, 'blue')).toBe(text)
  })

  it.each([
    ['form', false, '?color=blue,black,brown', '?color=R,100,G,200,B,150'],
    ['form', true, '?color=blue&color=black&color=brown', '?R=100&G=200&B=150'],
    ['spaceDelimited', false, '?color=blue%20black%20brown', '?color=R%20100%20G%20200%20B%20150'],
    [
      'pipeDelimited',
      undefined,
      '?color=blue%7Cblack%7Cbrown',
      '?color=R%7C100%7CG%7C200%7CB%7C150',
    ],
    [
      'deepObject',
      true,
      '?color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown',
      '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
  ])('write %s with explode %s in a query', (style, explode, list, object) => {
    expect(buildStyledCall('query', { style, explode }, LIST)).toBe(list)
    expect(buildStyledCall('query', { style, explode }, OBJECT)).toBe(object)
  })

  it('repeat the name of a list in a query by default', () => {
    expect(buildStyledCall('query', {}, LIST)).toBe('?color=blue&color=black&color=brown')
    expect(buildStyledCall('query', {}, '')).toBe('?color=')
    expect(buildStyledCall('query', {}, [])).toBe('')
  })

  it('write deep objects at any depth, without null members', () => {
    const deep = { a: { b: [1, { c: 'd e' }] }, f: null }
    expect(buildStyledCall('query', { style: 'deepObject', explode: true }, deep)).toBe(
      '?color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=d%20e',
    )
  })

  it('refuse objects that are too deep for a name', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 40; depth += 1) deep = { a: deep }
    expect(issuesOf(() => buildStyledCall('query', { style: 'deepObject' }, deep))).toEqual({
      color: 'is nested too deeply',
    })
  })

  it('write headers without encoding', () => {
    expect(buildStyledCall('header', {}, LIST)).toBe('blue,black,brown')
    expect(buildStyledCall('header', {}, OBJECT)).toBe('R,100,G,200,B,150')
    expect(buildStyledCall('header', { explode: true }, OBJECT)).toBe('R=100,G=200,B=150')
    expect(buildStyledCall('header', {}, 'a/b c')).toBe('a/b c')
  })

  it('write cookies', () => {
    expect(buildStyledCall('cookie', {}, 'a b')).toBe('color=a%20b')
    expect(buildStyledCall('cookie', { explode: false }, LIST)).toBe('color=blue,black,brown')
    expect(buildStyledCall('cookie', {}, LIST)).toBe('color=blue; color=black; color=brown')
    expect(buildStyledCall('cookie', { explode: true }, OBJECT)).toBe('R=100; G=200; B=150')
    expect(buildStyledCall('cookie', { style: 'cookie' }, 'a+/=;b')).toBe('color=a+/=%3Bb')
  })

  it('write JSON for a parameter with content', () => {
    const shape = { contentType: 'application/json' }
    expect(buildStyledCall('query', shape, { a: ['ü'] })).toBe(
      '?color=%7B%22a%22%3A%5B%22%C3%BC%22%5D%7D',
    )
    expect(buildStyledCall('header', shape, { a: ['ü'] })).toBe('{"a":["\\u00fc"]}')
    expect(buildStyledCall('path', shape, [1])).toBe('%5B1%5D')
    expect(buildStyledCall('cookie', shape, [1])).toBe('color=%5B1%5D')
  })

  it('preserve reserved characters if allowed, except those that end a value', () => {
    const text = '/a?b=c&d#e+[f]%41%'
    expect(buildStyledCall('query', { allowReserved: true }, text)).toBe(
      '?color=/a?b=c%26d%23e%2B%5Bf%5D%41%25',
    )
    expect(buildStyledCall('query', {}, text)).toBe('?color=%2Fa%3Fb%3Dc%26d%23e%2B%5Bf%5D%2541%25')
  })
})

describe('Swagger 2.0 collection formats', () => {
  it.each([
    ['csv', 'a%2Cb,c%20d', 'a,b,c d'],
    ['ssv', 'a%2Cb%20c%20d', 'a,b c d'],
    ['tsv', 'a%2Cb%09c%20d', 'a,b\tc d'],
    ['pipes', 'a%2Cb%7Cc%20d', 'a,b|c d'],
  ])('join a list as %s', (collectionFormat, encoded, raw) => {
    expect(buildStyledCall('query', { collectionFormat }, ['a,b', 'c d'])).toBe(`?color=${encoded}`)
    expect(buildStyledCall('path', { collectionFormat }, ['a,b', 'c d'])).toBe(encoded)
    expect(buildStyledCall('header', { collectionFormat }, ['a,b', 'c d'])).toBe(raw)
  })

  it('repeat the name for multi', () => {
    expect(buildStyledCall('query', { collectionFormat: 'multi' }, LIST)).toBe(
      '?color=blue&color=black&color=brown',
    )
  })
})

describe('Whole query strings', () => {
  it('accept pairs, a literal string, and JSON', () => {
    expect(buildStyledCall('querystring', {}, { a: 1, b: ['x', 'y'], c: null })).toBe(
      '?a=1&b=x&b=y',
    )
    expect(buildStyledCall('querystring', {}, 'a=1&b=c d#e')).toBe('?a=1&b=c%20d%23e')
    expect(buildStyledCall('querystring', { contentType: 'application/json' }, { a: 1 })).toBe(
      '?%7B%22a%22%3A1%7D',
    )
  })
})
