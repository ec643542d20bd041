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
