import type { Api } from '../../catalogue/records.ts'
import type { AssessmentRule, EndpointFacts, StatementEvidence } from '../records.ts'
import { createPhraseRule } from './phrase-rule.ts'

/** Deprecation in the description, and the quality of the description. */
export const DESCRIPTION_RULES: readonly AssessmentRule[] = [
  {
    id: 'deprecated-all',
    category: 'deprecation',
    classification: 'bad',
    statement: 'All endpoints are deprecated',
    applies: 'every endpoint in the description is deprecated',
    when: ({ api, endpoints }) =>
      endpoints.count > 0 && endpoints.deprecated === endpoints.count
        ? createDescriptionEvidence(api, formatDeprecated(endpoints))
        : undefined,
  },
  {
    id: 'deprecated-some',
    category: 'deprecation',
    classification: 'neutral',
    statement: 'Some endpoints are deprecated',
    applies: 'at least one endpoint in the description is deprecated, but not all',
    when: ({ api, endpoints }) =>
      endpoints.deprecated > 0 && endpoints.deprecated < endpoints.count
        ? createDescriptionEvidence(api, formatDeprecated(endpoints))
        : undefined,
  },
  createPhraseRule({
    id: 'deprecated-by-words',
    category: 'deprecation',
    classification: 'bad',
    statement: 'A text says that the API is or will be discontinued',
    applies:
      'a text or the description says that "this API", "this version" or "this service" is discontinued',
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
    statement: 'All checked endpoints have a description',
    applies: 'each of the first 50 endpoints has a summary or description',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.undescribed.length === 0
        ? createDescriptionEvidence(
            api,
            `${formatReadEndpoints(endpoints)}: all have a description`,
          )
        : undefined,
  },
  {
    id: 'quality-undescribed',
    category: 'description_quality',
    classification: 'bad',
    statement: 'Most checked endpoints have no description',
    applies: 'more than half of the first 50 endpoints have no summary and no description',
    when: ({ api, endpoints }) =>
      endpoints.undescribed.length * 2 > endpoints.read
        ? createDescriptionEvidence(api, formatShare(endpoints.undescribed, endpoints))
        : undefined,
  },
  {
    id: 'quality-answers',
    category: 'description_quality',
    classification: 'good',
    statement: 'Nearly all checked endpoints have a response schema or example',
    applies: 'at least 90% of the first 50 endpoints have a response schema or example',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.answered.length * 10 >= endpoints.read * 9
        ? createDescriptionEvidence(api, formatShare(endpoints.answered, endpoints))
        : undefined,
  },
  {
    id: 'quality-no-answers',
    category: 'description_quality',
    classification: 'bad',
    statement: 'No checked endpoint has a response schema or example',
    applies: 'none of the first 50 endpoints has a response schema or example',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.answered.length === 0
        ? createDescriptionEvidence(
            api,
            `${formatReadEndpoints(endpoints)}: none has a response schema or example`,
          )
        : undefined,
  },
]

/** Creates evidence from an API's description; its URL is not known. */
export function createDescriptionEvidence(api: Api, quote: string): StatementEvidence {
  return { source: 'description', quote, link: '', at: api.updatedAt }
}

/** Formats `50 endpoints` or `first 50 of 812 endpoints`. */
function formatReadEndpoints({ read, count }: EndpointFacts): string {
  const of = read === count ? `${count}` : `first ${read} of ${count}`
  return `${of} ${count === 1 ? 'endpoint' : 'endpoints'}`
}

/** Formats a number of the endpoints that were read, with examples. */
export function formatShare(names: readonly string[], endpoints: EndpointFacts): string {
  const some = names.slice(0, 3).join(', ')
  return `${names.length} of the ${formatReadEndpoints(endpoints)}: ${some}${names.length > 3 ? ', …' : ''}`
}

function formatDeprecated({ deprecated, count, deprecatedNames }: EndpointFacts): string {
  const more = deprecated > deprecatedNames.length ? ', …' : ''
  return `${deprecated} of ${count} endpoints: ${deprecatedNames.join(', ')}${more}`
}
