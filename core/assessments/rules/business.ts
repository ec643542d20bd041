import type { AssessmentRule } from '../records.ts'
import { byReader, createPhraseRule, NEGATED } from './phrase-rule.ts'

/** Texts about prices and about changes of terms. */
export const BUSINESS_RULES: readonly AssessmentRule[] = [
  createPhraseRule({
    id: 'terms-fees-change',
    category: 'business_model',
    classification: 'bad',
    statement: 'Prices may change',
    applies: 'a text reserves the right to change fees or prices',
    words: ['fee', 'pric', 'charges'],
    phrase:
      /\b(?:may|reserves? the right to|can)\b.{0,60}\b(?:change|modify|increase|adjust|revise)\b.{0,40}\b(?:fees?|prices?|pricing|charges)\b/,
    unless: [NEGATED, byReader('change|modify|increase|adjust|revise')],
  }),
  createPhraseRule({
    id: 'terms-payment',
    category: 'business_model',
    classification: 'neutral',
    statement: 'Usage is charged',
    applies: 'a text says that users must pay',
    words: ['pay', 'charged'],
    phrase:
      /\byou (?:agree to|must|shall|will|are required to) pay\b(?! (?:\w+ )?(?:attention|heed)\b| nothing\b)|\byou (?:will|shall) be charged\b/,
    unless: NEGATED,
  }),
  createPhraseRule({
    id: 'terms-free-plan',
    category: 'business_model',
    classification: 'neutral',
    statement: 'A free plan is offered',
    applies: 'a text or the description offers a free plan, a free tier or free use',
    words: ['free'],
    phrase:
      /\bfree (?:plan|tier)\b|\b(?:api|service|access|use|usage)\b.{0,40}\bfree of charge\b|^free (?:of charge )?for (?:\w+ ){0,2}(?:use|projects?)\b|\bis free (?:of charge )?for (?:\w+ ){0,3}(?:use|projects?)\b/,
    unless: [
      NEGATED,
      /\b(?:ended|ends|discontinued|retired|removed|former|formerly|used to|until)\b/,
    ],
    andDescription: true,
  }),
  createPhraseRule({
    id: 'terms-change-without-notice',
    category: 'change_of_terms',
    classification: 'bad',
    statement: 'The API or its terms may change without notice',
    applies: 'a text or the description says that the API or its terms may change without notice',
    words: ['notice'],
    phrase:
      /^(?=.{0,500}\b(?:api|service|terms|agreement|conditions|polic(?:y|ies)|features?|functionality|endpoints?|versions?|platform|specification|documentation|format|schema|this)\b).{0,500}(?:\b(?:chang|modif|amend|revis|updat|discontinu|withdraw)\w{0,8}\b.{0,80}\bwithout (?:(?:any|prior|further|advance) ){0,3}notice\b|\bwithout (?:(?:any|prior|further|advance) ){0,3}notice\b.{0,60}\b(?:change|modify|amend|discontinue)\b)/,
    unless: [
      /\b(?:not|never|nor|neither|won't)\b/,
      byReader('change|modify|amend|revise|update|withdraw'),
    ],
    andDescription: true,
  }),
  createPhraseRule({
    id: 'terms-change-any-time',
    category: 'change_of_terms',
    classification: 'bad',
    statement: 'The terms may change at any time',
    applies: 'a text says that its terms may change at any time',
    words: ['any time'],
    phrase:
      /\b(?:may|reserves? the right to|can)\b.{0,60}\b(?:change|modify|amend|revise|update)\b.{0,80}\b(?:terms|agreement|conditions|policy)\b.{0,80}\bat any time\b|\bat any time\b.{0,60}\b(?:change|modify|amend|revise|update)\b.{0,60}\b(?:terms|agreement|conditions|policy)\b/,
    unless: [NEGATED, byReader('change|modify|amend|revise|update')],
  }),
  createPhraseRule({
    id: 'terms-change-notice',
    category: 'change_of_terms',
    classification: 'good',
    statement: 'Changes are announced in advance',
    applies: 'a text promises notice of changes days, weeks or months in advance',
    words: ['notice', 'notify', 'inform', 'announce'],
    phrase:
      /\b(?:days?|weeks?|months?)'? (?:(?:prior|advance|written|of) ){0,3}notice\b.{0,80}\b(?:chang|amend|modif|updat|discontinu)|\b(?:chang|amend|modif|updat|discontinu)\w{0,8}\b.{0,120}\b(?:days?|weeks?|months?)'? (?:(?:prior|advance|written|of) ){0,3}notice\b|\b(?:notify|inform)\b.{0,60}\b(?:days|weeks|months) (?:before|prior|in advance)\b|\b(?:days?|weeks?|months?) (?:before|prior to|in advance of)\b.{0,60}\b(?:chang\w{1,4}|amendments?)\b.{0,40}\b(?:effect|effective)\b/,
    unless: [NEGATED, byReader('notify|inform|give|provide|send')],
  }),
]
