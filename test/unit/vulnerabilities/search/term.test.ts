import { describe, expect, it } from 'vitest'
import { parseTerm } from '../../../../core/vulnerabilities/search/search-term.ts'

describe('parseTerm', () => {
  it.each([
    ['Apache Log4j', 'apache log4j', ['apache', 'log4j']],
    ['  Apache\t\n LOG4J  ', 'apache log4j', ['apache', 'log4j']],
    ['Müller-Lüdenscheidt', 'müller-lüdenscheidt', ['muller', 'ludenscheidt']],
    ['log4j 2.17.1', 'log4j 2.17.1', ['log4j', '2', '17', '1']],
    ['debian_linux / kernel', 'debian_linux / kernel', ['debian', 'linux', 'kernel']],
    ['word word WORD', 'word word word', ['word']],
    ['(a* OR b) AND NOT^2 c:d <e>', 'a or b and not 2 c d e', 'a or b and not 2 c d e'.split(' ')],
    [
      "Robert'); DROP TABLE cve;--",
      "robert' drop table cve --",
      ['robert', 'drop', 'table', 'cve'],
    ],
    ['\u0000nul\ud800 sur', 'nul sur', ['nul', 'sur']],
  ])('parses the words %j as %j', (term, processed, words) => {
    expect(parseTerm(term)).toEqual({ processed, words, phrases: [], ids: [] })
  })

  it('keeps the words of each phrase in order', () => {
    expect(parseTerm('x "Remote code Execution" y "one" "use after"')).toEqual({
      processed: 'x remote code execution y one use after',
      words: ['x', 'remote', 'code', 'execution', 'y', 'one', 'use', 'after'],
      phrases: [
        ['remote', 'code', 'execution'],
        ['use', 'after'],
      ],
      ids: [],
    })
  })

  it('treats an unclosed quote as a phrase to the end', () => {
    expect(parseTerm('kernel "use after free').phrases).toEqual([['use', 'after', 'free']])
  })

  it.each([
    ['cve-2021-44228', ['CVE-2021-44228'], []],
    ['jndi (CVE-2021-44228), Cve-2021-44228.', ['CVE-2021-44228'], ['jndi']],
    ['CVE-2021-45046 CVE-2021-44228', ['CVE-2021-45046', 'CVE-2021-44228'], []],
    ['CVE-2021-44228-fix', [], ['cve', '2021', '44228', 'fix']],
    ['xCVE-2021-44228', [], ['xcve', '2021', '44228']],
    ['CVE-2021-123', [], ['cve', '2021', '123']],
    ['CVE-2021-1234567890', [], ['cve', '2021', '1234567890']],
  ])('finds the CVE ids in %j', (term, ids, words) => {
    const read = parseTerm(term)
    expect({ ids: read.ids, words: read.words }).toEqual({ ids, words })
  })

  it('treats a CVE ID in quotes as a phrase', () => {
    const read = parseTerm('"CVE-2021-44228"')
    expect(read.ids).toEqual([])
    expect(read.phrases).toEqual([['cve', '2021', '44228']])
  })

  it.each(['', '   ', '"', '""', '* ( ) :', '--- ... ///', '\u0301', '\ud83d\ude00'])(
    'rejects %j, which has no word',
    (term) => {
      expect(() => parseTerm(term)).toThrow('search_term must contain at least one letter or digit')
    },
  )

  it('accepts at most 16 words', () => {
    const words = Array.from({ length: 16 }, (_, index) => `w${index}`)
    expect(parseTerm(words.join(' ')).words).toEqual(words)
    expect(() => parseTerm(`${words.join(' ')} "x y"`)).toThrow(
      'search_term must contain at most 16 words',
    )
  })

  it('accepts at most 256 characters, regardless of their size', () => {
    expect(parseTerm('a'.repeat(256)).processed).toBe('a'.repeat(256))
    expect(parseTerm(`a ${'\u{1f600}'.repeat(254)}`).words).toEqual(['a'])
    expect(() => parseTerm('\u{20000}'.repeat(257))).toThrow(
      'search_term must be at most 256 characters long',
    )
  })
})
