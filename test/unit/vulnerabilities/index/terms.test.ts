import { describe, expect, it } from 'vitest'
import {
  extractHost,
  fromPairTerm,
  isWordTerm,
  toHostTerm,
  toPairTerm,
  toVendorTerm,
} from '../../../../core/vulnerabilities/index/terms.ts'

describe('toHost', () => {
  const cases: Readonly<Record<string, string>> = {
    'https://example.com/a?b': 'example.com',
    'http://Example.COM': 'Example.COM',
    'https://example.com:8443/': 'example.com',
    'ftp://user:key@example.com:21/x': 'example.com',
    'https://example.com?x=/y': 'example.com',
    'https://example.com#x': 'example.com',
    'https://example.com\\@other.example/': 'example.com',
    'https://bücher.example/': 'bücher.example',
    'mailto:a@example.com': '',
    '': '',
  }
  for (const [url, host] of Object.entries(cases)) {
    it(`is ${host || 'none'} for ${url || 'an empty text'}`, () => {
      expect(extractHost(url)).toBe(host)
    })
  }
})

describe('Terms', () => {
  it('of names are case-insensitive, bounded and not words', () => {
    expect(toVendorTerm('Acme')).toBe('v:acme')
    expect(toVendorTerm('a'.repeat(400))).toBe(`v:${'a'.repeat(300)}`)
    expect(toHostTerm('GitHub.com')).toBe('h:github.com')
    expect(['v:acme', 'vacme', 'n:x', 'n'].map(isWordTerm)).toEqual([false, true, false, true])
  })

  it('replace characters that UTF-8 cannot encode', () => {
    expect(toVendorTerm('a\ud800')).toBe('v:a\ufffd')
  })

  it('of pairs contain both names', () => {
    expect(fromPairTerm(toPairTerm('Acme', 'b:c'))).toEqual({ vendor: 'acme', product: 'b:c' })
    expect(fromPairTerm('v:acme')).toBeUndefined()
  })
})
