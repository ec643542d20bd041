import type { AssessmentRule } from '../records.ts'
import { createPhraseRule } from './phrase-rule.ts'

/** Governing law and dispute resolution. */
export const JURISDICTION_RULES: readonly AssessmentRule[] = [
  createPhraseRule({
    id: 'terms-governing-law',
    category: 'jurisdiction',
    classification: 'neutral',
    statement: 'The governing law is specified',
    applies: 'a text names its governing law',
    words: ['governed by'],
    phrase: /(?<!\bnot (?:be )?)\bgoverned by\b.{0,80}\blaws?\b/,
    unless:
      /\bgoverned by (?:any |all |the )?(?:applicable|relevant|local|privacy|data protection)\b/,
  }),
  createPhraseRule({
    id: 'terms-arbitration',
    category: 'jurisdiction',
    classification: 'bad',
    statement: 'Disputes are settled by binding arbitration',
    applies: 'a text requires binding or mandatory arbitration',
    words: ['arbitration'],
    phrase: /\b(?:binding|mandatory) (?:individual )?arbitration\b/,
    unless: /\b(?:not|no|without|instead of)\b/,
  }),
  createPhraseRule({
    id: 'terms-class-waiver',
    category: 'jurisdiction',
    classification: 'bad',
    statement: 'Class actions are waived',
    applies: 'a text requires you to waive class actions',
    words: ['class action'],
    phrase: /\bwaiv(?:e|es|er|ing)\b.{0,120}\bclass actions?\b|\bclass actions? waiver\b/,
    unless: /\b(?:not waive|nothing in)\b/,
  }),
  {
    id: 'countries',
    category: 'jurisdiction',
    classification: 'neutral',
    statement: 'The countries of the API are known',
    applies: 'the catalogue contains countries for the API or its vendor',
    when: ({ api }) => {
      const countries = api.countries.length > 0 ? api.countries : api.vendor.countries
      return {
        source: 'catalogue',
        quote: countries.join(', '),
        link: api.vendor.homepage,
        at: api.updatedAt,
      }
    },
  },
]
