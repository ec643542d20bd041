import { describe, expect, it } from 'vitest'
import {
  toAffectedProducts,
  toProductLines,
} from '../../../../core/vulnerabilities/affected-products.ts'
import type {
  CpeMatch,
  CveConfiguration,
  CveNode,
  VersionRange,
} from '../../../../core/vulnerabilities/records.ts'

describe('toAffectedProducts', () => {
  it('groups products by vendor and product, in the order of the record', () => {
    const products = toAffectedProducts([
      configuration([
        node([
          match('a:acme:rocket:2.0'),
          match('a:acme:rocket:1.0'),
          match('a:acme:anvil:*'),
          match('a:zeta:rocket:2.0'),
        ]),
        node([match('a:acme:rocket:3.0'), match('a:acme:rocket:2.0')]),
      ]),
      configuration([node([match('a:acme:anvil:-')])]),
    ])
    expect(products).toEqual([
      { vendor: 'acme', product: 'rocket', versions: ['2.0', '1.0', '3.0'] },
      { vendor: 'acme', product: 'anvil', versions: ['*', '-'] },
      { vendor: 'zeta', product: 'rocket', versions: ['2.0'] },
    ])
  })

  it('appends the update to a version after a tab, except any and none', () => {
    const products = toAffectedProducts([
      configuration([
        node([
          { ...match('a:acme:rocket:2.0'), cpe: 'cpe:2.3:a:acme:rocket:2.0:p1:*:*:*:*:*:*' },
          { ...match('a:acme:rocket:2.0'), cpe: 'cpe:2.3:a:acme:rocket:2.0:p2:*:*:*:*:*:*' },
          { ...match('a:acme:rocket:2.0'), cpe: 'cpe:2.3:a:acme:rocket:2.0:-:*:*:*:*:*:*' },
          { ...match('a:acme:rocket:2.0'), cpe: 'cpe:2.3:a:acme:rocket:2\\.1:p\\:3:*:*:*:*:*:*' },
          match('a:acme:rocket:2.0'),
        ]),
      ]),
    ])
    const versions = ['2.0\tp1', '2.0\tp2', '2.0', '2.1\tp:3']
    expect(products).toEqual([{ vendor: 'acme', product: 'rocket', versions }])
    expect(toProductLines(products)).toEqual(['acme rocket 2.0', 'acme rocket 2.1'])
  })

  it('omits platforms that are not vulnerable', () => {
    const products = toAffectedProducts([
      configuration([
        node([match('a:acme:rocket:2.0')]),
        node([{ ...match('o:linux:linux_kernel:-'), isVulnerable: false }]),
      ]),
    ])
    expect(products).toEqual([{ vendor: 'acme', product: 'rocket', versions: ['2.0'] }])
  })

  it('returns each range once', () => {
    const range: VersionRange = { from: { version: '2.0', isIncluded: true } }
    const products = toAffectedProducts([
      configuration([
        node([
          { ...match('a:acme:rocket:*'), range },
          { ...match('a:acme:rocket:*'), range: { ...range } },
          match('a:acme:rocket:*'),
        ]),
      ]),
    ])
    expect(products).toEqual([{ vendor: 'acme', product: 'rocket', versions: [range, '*'] }])
  })

  it('finds products in nested nodes of legacy records', () => {
    const child = node([match('a:acme:rocket:2.0')])
    const products = toAffectedProducts([
      configuration([
        { ...node([]), operator: 'AND', children: [{ ...child, children: [child] }] },
        node([match('a:acme:anvil:1')]),
      ]),
    ])
    expect(products).toEqual([
      { vendor: 'acme', product: 'rocket', versions: ['2.0'] },
      { vendor: 'acme', product: 'anvil', versions: ['1'] },
    ])
  })

  it('unescapes names without confusing different ones', () => {
    const products = toAffectedProducts([
      configuration([
        node([
          match('a:cgi\\:irc:cgi:1'),
          match('a:cgi:irc:2'),
          match('a:cgi:irc:1\\:2\\+x'),
          match('a:cgi\\:irc:cgi:3'),
          match('o:cgi:irc:4'),
        ]),
      ]),
    ])
    expect(products).toEqual([
      { vendor: 'cgi:irc', product: 'cgi', versions: ['1', '3'] },
      { vendor: 'cgi', product: 'irc', versions: ['2', '1:2+x', '4'] },
    ])
  })

  it('skips CPE names without a product', () => {
    const matches = [match('a:*:tomcat:1'), match('a:*:*:*'), match('a:acme:-:1')]
    expect(toAffectedProducts([configuration([node(matches)])])).toEqual([])
    expect(toAffectedProducts([])).toEqual([])
  })
})

function configuration(nodes: readonly CveNode[]): CveConfiguration {
  return { operator: 'OR', isNegated: false, nodes }
}

function node(matches: readonly CpeMatch[]): CveNode {
  return { operator: 'OR', isNegated: false, matches, children: [] }
}

function match(names: string): CpeMatch {
  return { isVulnerable: true, cpe: `cpe:2.3:${names}:*:*:*:*:*:*:*` }
}
