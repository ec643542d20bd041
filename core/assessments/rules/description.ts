import type { Api } from '../../catalogue/records.ts'
import type { AssessmentRule, EndpointFacts, StatementEvidence } from '../records.ts'
import { inTexts } from './in-texts.ts'

/** What the description of the API shows: deprecation, and how good it is itself. */
export const DESCRIPTION_RULES: readonly AssessmentRule[] = [
  {
    id: 'deprecated-all',
    category: 'deprecation',
    classification: 'bad',
    statement: 'All endpoints are deprecated',
    applies: 'every endpoint of the description is',
    when: ({ api, endpoints }) =>
      endpoints.count > 0 && endpoints.deprecated === endpoints.count
        ? ofDescription(api, toDeprecated(endpoints))
        : undefined,
  },
  {
    id: 'deprecated-some',
    category: 'deprecation',
    classification: 'neutral',
    statement: 'Some endpoints are deprecated',
    applies: 'one endpoint of the description is, and not every one',
    when: ({ api, endpoints }) =>
      endpoints.deprecated > 0 && endpoints.deprecated < endpoints.count
        ? ofDescription(api, toDeprecated(endpoints))
        : undefined,
  },
  inTexts({
    id: 'deprecated-by-words',
    category: 'deprecation',
    classification: 'bad',
    statement: 'A text says that the API is or will be discontinued',
    applies: 'a text or the description says so of "this API", "this version" or "this service"',
    words: ['deprecated', 'discontinued', 'retired', 'sunset', 'shut'],
    phrase:
      /(?<!\b(?:of|in|for|by|with|from|on|to|through|using|via) )\bthis (?:api|version|version of the api|api version|service)\b (?:is|has been|was|will be) (?:now |officially )?(?:deprecated|discontinued|retired|sunset|shut ?down)\b/,
    unless: /\b(?:if|should|in case|in the event|unless|not|never)\b/,
    andDescription: true,
  }),
  {
    id: 'quality-described',
    category: 'description_quality',
    classification: 'good',
    statement: 'All endpoints that were read are described in words',
    applies: 'each of the first 50 endpoints is',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.undescribed.length === 0
        ? ofDescription(api, `${toRead(endpoints)}: all have a description`)
        : undefined,
  },
  {
    id: 'quality-undescribed',
    category: 'description_quality',
    classification: 'bad',
    statement: 'Most endpoints that were read are not described in words',
    applies: 'more than half of the first 50 endpoints have neither summary nor description',
    when: ({ api, endpoints }) =>
      endpoints.undescribed.length * 2 > endpoints.read
        ? ofDescription(api, toShare(endpoints.undescribed, endpoints))
        : undefined,
  },
  {
    id: 'quality-answers',
    category: 'description_quality',
    classification: 'good',
    statement: 'Answers of endpoints have a schema or an example',
    applies:
      'at least nine in ten of the first 50 endpoints have a schema or an example of an answer',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.answered.length * 10 >= endpoints.read * 9
        ? ofDescription(api, toShare(endpoints.answered, endpoints))
        : undefined,
  },
  {
    id: 'quality-no-answers',
    category: 'description_quality',
    classification: 'bad',
    statement: 'No endpoint that was read has an answer with a schema or an example',
    applies: 'none of the first 50 endpoints has a schema or an example of an answer',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.answered.length === 0
        ? ofDescription(api, `${toRead(endpoints)}: none has a schema or an example of an answer`)
        : undefined,
  },
]

/** What stands in an API's description as evidence; where that stands is not known. */
export function ofDescription(api: Api, quote: string): StatementEvidence {
  return { source: 'description', quote, link: '', at: api.updatedAt }
}

/** `50 of 812 endpoints read`. */
function toRead({ read, count }: EndpointFacts): string {
  const of = read === count ? `${count}` : `first ${read} of ${count}`
  return `${of} ${count === 1 ? 'endpoint' : 'endpoints'}`
}

/** So many of those that were read, with some of their names. */
export function toShare(names: readonly string[], endpoints: EndpointFacts): string {
  const some = names.slice(0, 3).join(', ')
  return `${names.length} of the ${toRead(endpoints)}: ${some}${names.length > 3 ? ', …' : ''}`
}

function toDeprecated({ deprecated, count, deprecatedNames }: EndpointFacts): string {
  const more = deprecated > deprecatedNames.length ? ', …' : ''
  return `${deprecated} of ${count} endpoints: ${deprecatedNames.join(', ')}${more}`
}
