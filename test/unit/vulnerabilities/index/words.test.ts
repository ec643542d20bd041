import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIndexBuilder } from '../../../../core/vulnerabilities/index/index-builder.ts'
import { isWordTerm } from '../../../../core/vulnerabilities/index/terms.ts'
import { MAX_WORD, splitWords } from '../../../../core/vulnerabilities/index/words.ts'
import { codePoint } from '../../../helpers/code-point.ts'
import { sampleRecord } from '../loading/samples.ts'

describe('toWords', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '': [],
    '!?': [],
    'Remote Code-Execution': ['remote', 'code', 'execution'],
    log4j2: ['log4j2'],
    '2.0-beta9': ['2', '0', 'beta9'],
    web_server: ['web', 'server'],
    'Café CAFÉ cafe\u0301': ['cafe', 'cafe', 'cafe'],
    "it's it’s": ['it', 's', 'it', 's'],
    'Windows™ Intel®': ['windows', 'intel'],
    漏洞利用: ['漏洞利用'],
    '「漏洞」x': ['漏洞', 'x'],
    ＦＵＬＬ１: ['full1'],
    '½': ['1', '2'],
    ﬁle: ['file'],
    Ünïcödé: ['unicode'],
    '\u0301': [],
    'a\u0000b': ['a', 'b'],
    '😀x': ['x'],
  }
  for (const [text, words] of Object.entries(cases)) {
    it(`returns ${words.join(', ') || 'nothing'} for ${JSON.stringify(text)}`, () => {
      expect(splitWords(text)).toEqual(words)
    })
  }

  it('cuts long words, but no surrogate pair', () => {
    expect(splitWords(`${'A'.repeat(MAX_WORD + 5)} b`)).toEqual(['a'.repeat(MAX_WORD), 'b'])
    const [word = ''] = splitWords(
      `${'é'.repeat(MAX_WORD - 1)}𝒳`.replaceAll('é', '漢').replace('𝒳', '𠀀'),
    )
    expect(word).toBe('漢'.repeat(MAX_WORD - 1))
  })

  it('returns the words that the index contains for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.string({
        unit: fc.constantFrom(
          'a',
          'Z',
          '0',
          ' ',
          '.',
          '_',
          'é',
          'e\u0301',
          '™',
          '漢',
          '𠀀',
          '\ud800',
        ),
        maxLength: 300,
      }),
    )
    fc.assert(
      fc.property(text, (value) => {
        const draft = createIndexBuilder()
        const descriptions = [{ language: 'en', text: value }]
        const record = sampleRecord(1, { descriptions })
        draft.add(record, { rowId: 1, versions: {}, products: { listed: [], others: [] } })
        const { terms } = draft
        const indexed = Array.from({ length: terms.count }, (_, term) => terms.textOf(term))
        const words = new Set(['cve', '2021', '0001', ...splitWords(value)])
        expect(new Set(indexed.filter(isWordTerm))).toEqual(words)
      }),
      { seed: 7, numRuns: 150 },
    )
  })
})
