import type { AssessmentRule } from '../records.ts'
import { inTexts } from './in-texts.ts'

/** What texts forbid to developers. */
export const RESTRICTION_RULES: readonly AssessmentRule[] = [
  inTexts({
    id: 'terms-non-commercial',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Only non-commercial use is allowed',
    applies: 'a text or the description allows personal or non-commercial use alone',
    words: ['commercial', 'personal use only'],
    phrase:
      /\b(?:only|solely|limited to|restricted to|exclusively)\b.{0,60}\bnon-?commercial\b|\bnon-?commercial (?:use|purposes) only\b|\bpersonal use only\b|\b(?:may|must|shall) not\b.{0,60}\bfor (?:any )?commercial (?:use|purposes?)\b/,
    unless:
      /\bcommercial (?:and|or) non-?commercial\b|\bnot (?:only|limited|restricted)\b|\bunless\b/,
    andDescription: true,
  }),
  inTexts({
    id: 'terms-no-competing',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Competing products are forbidden',
    applies: 'a text forbids to build or offer what competes',
    words: ['compet'],
    phrase:
      /\b(?:may|must|shall|will|agree) not\b.{0,200}\bcompet(?:e|es|ing|itive|itors?)\b|\bprohibited\b.{0,120}\bcompet(?:e|es|ing|itive)\b/,
    unless: /\bcompetent\b/,
  }),
  inTexts({
    id: 'terms-no-benchmarks',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Benchmarks are forbidden or need consent',
    applies: 'a text forbids to measure or to publish measurements',
    words: ['benchmark'],
    phrase:
      /\b(?:may|must|shall|will|agree) not\b.{0,200}\bbenchmark|\bprohibited\b.{0,120}\bbenchmark|\bbenchmark\w{0,5}\b.{0,120}\bwithout\b.{0,40}\bconsent\b/,
  }),
  inTexts({
    id: 'terms-no-caching',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Answers may not be cached or stored',
    applies: 'a text forbids to cache or store what is answered',
    words: ['cach', 'stor'],
    phrase:
      /\b(?:may|must|shall|will|agree) not\b.{0,120}\b(?:cache|store)\b.{0,60}\b(?:data|content|results?|responses?|information)\b/,
    unless: /\b(?:passwords?|malicious|virus\w{0,2}|unlawful|illegal)\b/,
  }),
  inTexts({
    id: 'terms-no-reverse-engineering',
    category: 'developer_restrictions',
    classification: 'neutral',
    statement: 'Reverse engineering is forbidden',
    applies: 'a text forbids it',
    words: ['reverse'],
    phrase:
      /\b(?:may|must|shall|will|agree) not\b.{0,200}\breverse[ -]engineer|\bprohibited\b.{0,120}\breverse[ -]engineer/,
  }),
  inTexts({
    id: 'terms-termination-any-time',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'Access may be ended at any time or for any reason',
    applies: 'a text says that access may be ended so by the vendor',
    words: ['terminat', 'suspend', 'revoke'],
    phrase:
      /\b(?:terminate|suspend|revoke)\b.{0,100}\b(?:at any time|for any reason|sole discretion|without cause)\b|\b(?:at any time|for any reason|sole discretion|without cause)\b.{0,80}\b(?:terminate|suspend|revoke)\b/,
    unless:
      /\byou (?:may|can) (?:also )?(?:terminate|cancel|suspend|revoke)\b|\b(?:not|never|nor)\b/,
  }),
]
