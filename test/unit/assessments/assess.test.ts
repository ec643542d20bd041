import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assessFacts } from '../../../core/assessments/assess-facts.ts'
import { ASSESSMENT_RULES } from '../../../core/assessments/rules.ts'
import { MAX_SENTENCE, splitSentences } from '../../../core/assessments/sentences.ts'
import { runSynchronously } from '../../../core/shared/time-slices.ts'
import { createFacts, ofText } from './facts.ts'
import { PHRASES } from './phrases.ts'

const ABOUT = { kind: 'TermsOfService', of: { source: 'Terms', link: '', at: 0 } }

/** Checks that a text contains the characters of a quote in order, ignoring white space. */
function containsInOrder(text: string, quote: string): boolean {
  let at = 0
  for (const letter of quote.replace(/\s+/g, '')) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

describe('assessment', () => {
  it('makes no statement without facts', () => {
    expect(runSynchronously(assessFacts(createFacts(), ASSESSMENT_RULES))).toEqual([])
  })

  it('makes no statement without a quote', () => {
    const rule = {
      id: 'x',
      category: 'freshness',
      classification: 'good',
      statement: 'X',
      applies: 'always',
      when: () => ({ source: 'a', quote: ' ', link: '', at: 0 }),
    } as const
    expect(runSynchronously(assessFacts(createFacts(), [rule]))).toEqual([])
  })

  it('quotes the text unchanged, regardless of its context', () => {
    const part = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(...PHRASES.map(([, meant]) => meant)),
      fc.constantFrom('. ', '\n\n', '\n- ', ' not ', '<p>', '<', 'you may not ', 'x'.repeat(700)),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        for (const { evidence } of runSynchronously(assessFacts(ofText(text), ASSESSMENT_RULES))) {
          expect(evidence.quote.trim()).not.toBe('')
          expect(evidence.quote.length).toBeLessThanOrEqual(MAX_SENTENCE)
          expect(containsInOrder(text, evidence.quote)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['no end', 'you may not '],
    ['no blank', 'a'],
    ['tags that never end', '<p '],
    ['points', '. '],
    ['lines', '\n'],
    ['words of rules', 'we may change sell share fees prices notice at any time '],
  ])('handles a megabyte of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil((1024 * 1024) / piece.length))
    const sentences = [...splitSentences(text, ABOUT)]
    expect(sentences.every((sentence) => sentence.text.length <= MAX_SENTENCE)).toBe(true)
    runSynchronously(assessFacts(createFacts({ sentences }), ASSESSMENT_RULES))
  })

  it('splits at the end of sentences, items and blocks, not after abbreviations', () => {
    const text =
      'First sentence, e.g. this one. Second sentence!\n- An item here\n- Another item\n<p>A block of <b>HTML</b> text</p>'
    expect([...splitSentences(text, ABOUT)].map((sentence) => sentence.text)).toEqual([
      'First sentence, e.g. this one.',
      'Second sentence!',
      'An item here',
      'Another item',
      'A block of HTML text',
    ])
  })
})
