import * as v from 'valibot'
import { defineTool } from '../define-tool.ts'
import { cutText, describeRest, keepWithinWords } from '../present.ts'
import { apiId, maxWords, SEARCH_AGAIN } from './inputs.ts'

const statement = v.object({
  classification: v.picklist(['good', 'neutral', 'bad', 'blocker']),
  category: v.string(),
  statement: v.string(),
  evidence: v.string(),
})

/** Assesses the terms and risks of an API. */
export const assessApi = defineTool({
  name: 'assess_api',
  title: 'Assess an API',
  description:
    'Says on what terms an API may be used: its agreements, and statements on licence, privacy, security, limits and known vulnerabilities, each with its evidence. Blockers and risks come first.',
  input: v.object({ api_id: apiId, max_words: maxWords }),
  output: v.object({
    api: v.string(),
    agreements: v.array(v.object({ name: v.string(), url: v.string() })),
    statements: v.array(statement),
    is_partial: v.boolean(),
  }),
  scope: 'read',
  effect: 'reads',
  nextSteps: { not_found: SEARCH_AGAIN },
  async run({ api_id, max_words }, { app, caller }) {
    const found = await app.call('getAgreementsById', { api_id, assessment: true }, caller)
    const all = (found.assessment ?? [])
      .map((each) => ({
        classification: each.classification,
        category: each.category,
        statement: cutText(each.statement, 300),
        evidence: cutText(
          [each.evidence.source, each.evidence.quote, each.evidence.link]
            .filter((part) => part !== '')
            .join(': '),
          300,
        ),
      }))
      .toSorted((a, b) => ORDER.indexOf(a.classification) - ORDER.indexOf(b.classification))
    const statements = keepWithinWords(all, max_words)
    const agreements = found.agreements
      .slice(0, MAX_AGREEMENTS)
      .map(({ agreement_name, agreement_link }) => ({
        name: cutText(agreement_name, 200),
        url: cutText(agreement_link, 500),
      }))
    const isPartial = statements.length < all.length
    const count = (kind: string) =>
      all.filter(({ classification }) => classification === kind).length
    return {
      data: { api: cutText(found.api_name, 200), agreements, statements, is_partial: isPartial },
      summary: `${count('blocker')} blockers, ${count('bad')} risks, ${count('good')} strengths.${describeRest(statements, all)} This is no legal advice: show the evidence to the user.`,
      lines: [
        ...agreements.map(({ name, url }) => `Agreement: ${name} ${url}`),
        ...statements.map(
          (each) =>
            `${each.classification} (${each.category}): ${each.statement} Evidence: ${each.evidence}`,
        ),
      ],
    }
  },
})

const MAX_AGREEMENTS = 20

const ORDER = ['blocker', 'bad', 'neutral', 'good']
