import type { AssessmentRule } from '../records.ts'
import { byReader, createPhraseRule, NEGATED } from './phrase-rule.ts'

/** Texts about data: ownership, sharing and portability. */
export const DATA_RULES: readonly AssessmentRule[] = [
  createPhraseRule({
    id: 'terms-sells-data',
    category: 'end_user_privacy',
    classification: 'bad',
    statement: 'Personal data may be sold or rented',
    applies: 'a text says that personal or user data is sold or rented',
    words: ['sell', 'rent '],
    phrase:
      /\bwe (?:may |can |also |might )?(?:sell|rent)\b(?:,? (?:or|and|sell|rent|share|trade|lease|some|any|all|of)){0,5} (?:personal|user|your)\b.{0,30}\b(?:data|information)\b/,
    unless: NEGATED,
  }),
  createPhraseRule({
    id: 'terms-sells-no-data',
    category: 'end_user_privacy',
    classification: 'good',
    statement: 'Personal data is not sold',
    applies: 'a text says that personal data is not sold',
    words: ['sell'],
    phrase:
      /\b(?:do not|don't|will not|won't|never|does not) (?:sell|share or sell|rent or sell|sell or rent)\b.{0,60}\b(?:personal|user|your)\b.{0,30}\b(?:data|information)\b/,
    unless: [
      /\b(?:except|unless|other than|without (?:your|their|prior|express|explicit|first))\b/,
      byReader('sell|share|rent'),
    ],
  }),
  createPhraseRule({
    id: 'terms-shares-data',
    category: 'end_user_privacy',
    classification: 'neutral',
    statement: 'Personal data may be shared with third parties',
    applies: 'a text says that personal or user data is shared with third parties',
    words: ['third part'],
    phrase:
      /\bwe (?:may |can |also |might )?(?:share|disclose|transfer)\b.{0,80}\b(?:personal|user|your)\b.{0,30}\b(?:data|information)\b.{0,80}\bthird part/,
    unless: NEGATED,
  }),
  createPhraseRule({
    id: 'terms-data-processing',
    category: 'end_user_privacy',
    classification: 'good',
    statement: 'A data processing agreement is offered',
    applies: 'a text mentions a data processing agreement or addendum',
    words: ['data processing'],
    phrase: /\bdata processing (?:agreement|addendum)\b/,
    unless: [
      NEGATED,
      /\b(?:you|customers?) (?:must|shall|should|need|are responsible)\b|\byour own\b/,
    ],
  }),
  createPhraseRule({
    id: 'terms-keep-ownership',
    category: 'data_ownership',
    classification: 'good',
    statement: 'You keep ownership of the data you send',
    applies: 'a text says that you keep ownership of or rights in your content or data',
    words: ['you retain', 'you keep', 'you own'],
    phrase:
      /\byou (?:retain|keep)\b.{0,60}\b(?:ownership|rights?|title|interests?|copyrights?)\b.{0,80}\b(?:content|data|submissions?|materials?)\b|\byou (?:own|retain|keep) (?:(?:all|any|and|the|of) ){0,3}(?:your|the) (?:\w+ )?(?:content|data|submissions?|materials?)\b/,
    unless: [
      NEGATED,
      /\bretain \w* ?responsib|\byou keep (?:your|the) \w+ (?:secure|safe|up to date|confidential)\b/,
    ],
  }),
  createPhraseRule({
    id: 'terms-broad-licence',
    category: 'data_ownership',
    classification: 'bad',
    statement: 'You grant the vendor a perpetual or irrevocable licence',
    applies: 'a text makes you grant a perpetual or irrevocable licence',
    words: ['grant'],
    phrase: /\byou (?:hereby )?grant\b.{0,200}(?<!\bnon-?)\b(?:perpetual|irrevocable)\b/,
    unless: /\b(?:not|neither)\b/,
  }),
  createPhraseRule({
    id: 'terms-trains-models',
    category: 'data_ownership',
    classification: 'bad',
    statement: 'Data you send may be used to train models',
    applies: 'a text says that content or data is used for training',
    words: ['train'],
    phrase:
      /\bwe (?:may |can |also |might )?use\b.{0,80}\b(?:content|data|inputs?)\b.{0,80}\btrain(?:ing)?\b.{0,60}\b(?:models?|machine learning|algorithms?)\b/,
    unless: [NEGATED, /\bopt(?:ed|s|ing)?[ -]in\b|\bwith (?:your|their) (?:\w+ )?consent\b/],
  }),
  createPhraseRule({
    id: 'terms-no-training',
    category: 'data_ownership',
    classification: 'good',
    statement: 'Data you send is not used to train models',
    applies: 'a text says that content or data is not used for training',
    words: ['train'],
    phrase:
      /\b(?:do not|don't|will not|won't|never|does not) use\b.{0,80}\b(?:content|data|inputs?)\b.{0,80}\btrain(?:ing)?\b/,
    unless: [
      /\b(?:except|unless|without (?:your|their|prior|express|explicit))\b/,
      byReader('use'),
    ],
  }),
  createPhraseRule({
    id: 'terms-export',
    category: 'portability',
    classification: 'good',
    statement: 'Data can be exported',
    applies: 'a text says that you can export or download your data',
    words: ['export', 'download'],
    phrase:
      /\byou (?:may|can|are able to|have the right to)\b.{0,60}\b(?:export|download)\b.{0,40}\b(?:your|customer)\b.{0,20}\b(?:data|content)\b/,
    unless: NEGATED,
  }),
  createPhraseRule({
    id: 'terms-deletion-at-end',
    category: 'portability',
    classification: 'neutral',
    statement: 'Data is deleted when the contract ends',
    applies: 'a text says that data is deleted when the contract ends',
    words: ['delet', 'eras', 'destroy'],
    phrase:
      /\bwe (?:may|will|shall)\b.{0,40}\b(?:delete|erase|destroy)\b.{0,80}\b(?:upon|after|following|on)\b.{0,60}\b(?:termination|expir\w{1,6})\b/,
    unless: /\bnot\b/,
  }),
]
