import type { AssessmentRule } from '../records.ts'
import { byReader, createPhraseRule, NEGATED } from './phrase-rule.ts'

/** Restrictions for developers in texts. */
export const RESTRICTION_RULES: readonly AssessmentRule[] = [
  createPhraseRule({
    id: 'terms-non-commercial',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Only non-commercial use is allowed',
    applies: 'a text or the description allows only personal or non-commercial use',
    words: ['commercial', 'personal use only'],
    phrase:
      /\b(?:only|solely|limited to|restricted to|exclusively)\b.{0,60}\bnon-?commercial\b|\bnon-?commercial (?:use|purposes) only\b|\bpersonal use only\b|\b(?:may|must|shall) not\b[^;]{0,60}\bfor (?:any )?commercial (?:use|purposes?)\b/,
    unless: [
      /\bcommercial (?:and|or) non-?commercial\b|\bnot (?:only|limited|restricted)\b|\bunless\b/,
      // These refer to a single plan or to trademarks, not to the API.
      /\b(?:free|trial|demo|community|student) (?:plan|tier|version|account|licen[cs]e|keys?)\b|\b(?:trademarks?|logos?|brand)\b/,
    ],
    andDescription: true,
  }),
  createPhraseRule({
    id: 'terms-attribution',
    category: 'developer_restrictions',
    classification: 'neutral',
    statement: 'Attribution is required',
    applies: 'a text or the description requires attribution',
    words: ['attribut', 'credit'],
    phrase:
      /\battribution\b.{0,30}\b(?:is|are) (?:required|mandatory)\b|\b(?:must|shall|have to|required to|as long as you|provided (?:that )?you)\b.{0,60}\b(?:attribute|attribution|give credit|credit us)\b/,
    unless: NEGATED,
    andDescription: true,
  }),
  createPhraseRule({
    id: 'terms-no-competing',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Competing products are forbidden',
    applies: 'a text forbids building or offering a competing product',
    words: ['compet'],
    isForbidden: true,
    phrase: /\bcompet(?:e|es|ing|itive|itors?)\b/,
    unless: /\bcompetent\b/,
  }),
  createPhraseRule({
    id: 'terms-no-benchmarks',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Benchmarks are forbidden or require consent',
    applies: 'a text forbids measuring or publishing measurements',
    words: ['benchmark'],
    isForbidden: true,
    phrase: /\bbenchmark/,
  }),
  createPhraseRule({
    id: 'terms-no-caching',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Caching or storing responses is forbidden or limited',
    applies: 'a text forbids caching or storing responses, or limits its duration',
    words: ['cach', 'stor'],
    isForbidden: true,
    phrase:
      /\b(?:cached?|stored?)\b.{0,60}\b(?:data|content|results?|responses?|information|answers?)\b|^ (?:be )?(?:cached|stored)\b/,
    unless: /\b(?:passwords?|malicious|virus\w{0,2}|unlawful|illegal)\b/,
  }),
  createPhraseRule({
    id: 'terms-no-reverse-engineering',
    category: 'developer_restrictions',
    classification: 'neutral',
    statement: 'Reverse engineering is forbidden',
    applies: 'a text forbids reverse engineering',
    words: ['reverse'],
    isForbidden: true,
    phrase: /\breverse[ -]engineer/,
  }),
  createPhraseRule({
    id: 'terms-termination-any-time',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Access may be terminated at any time or for any reason',
    applies: 'a text allows the vendor to terminate access at any time or for any reason',
    words: ['terminat', 'suspend', 'revoke'],
    phrase:
      /\b(?:terminate|suspend|revoke)\b.{0,100}\b(?:at any time|for any reason|sole discretion|without cause)\b|\b(?:at any time|for any reason|sole discretion|without cause)\b.{0,80}\b(?:terminate|suspend|revoke)\b/,
    unless: [byReader('terminate|cancel|suspend|revoke'), /\b(?:not|never|nor)\b/],
  }),
]
