import * as v from 'valibot'
import { formatApiKind } from '../../../core/catalogue/index.ts'
import { formatCount } from '../../../core/shared/text.ts'
import { defineTool } from '../define-tool.ts'
import { cutText, describeRest, keepWithinWords } from '../present.ts'
import { integer, maxWords, nextPage, page, text } from './inputs.ts'

const endpoint = v.object({
  endpoint_id: v.string(),
  method: v.string(),
  url: v.string(),
  summary: v.string(),
})

const api = v.object({
  api_id: v.string(),
  kind: v.string(),
  name: v.string(),
  vendor: v.string(),
  category: v.string(),
  description: v.string(),
  auth_types: v.array(v.string()),
  endpoints: v.array(endpoint),
})

const SIZE = 10

/** Searches the catalogue. */
export const searchApis = defineTool({
  name: 'search_apis',
  title: 'Search APIs',
  description:
    'Finds third-party APIs, MCP servers and agents by what they do ("send an SMS"). Returns the best endpoints. Next: describe_endpoint.',
  input: v.object({
    query: text(1000, 'What the API should do, or a name; empty lists all APIs.'),
    vendor: v.optional(text(500, 'Only APIs of this vendor, with more endpoints.')),
    category: v.optional(text(200, 'Only APIs of this category.')),
    page,
    max_words: maxWords,
  }),
  output: v.object({ total: integer, page: integer, next_page: nextPage, apis: v.array(api) }),
  scope: 'read',
  effect: 'reads',
  async run({ query, vendor, category, page, max_words }, { app, caller }) {
    // One vendor has few APIs, so there is room for more of their endpoints.
    const num_endpoints = vendor === undefined ? 3 : 15
    const input = { q: query, vendor, category, page, size: SIZE, num_endpoints }
    const found = await app.call('searchEndpoints', input, caller)
    const all = found.endpoints.map((each) => ({
      api_id: each.encrypted_id,
      kind: each.kind ?? ('http' as const),
      name: cutText(each.name, 200),
      vendor: cutText(each.vendor.name, 200),
      category: each.category.name,
      description: cutText(each.description, 300),
      auth_types: each.auth_types,
      endpoints: each.matched_endpoints.map((one) => ({
        endpoint_id: one.endpoint_id,
        method: one.method.toUpperCase(),
        url: cutText(one.endpoint, 300),
        summary: cutText(one.description, 160),
      })),
    }))
    const apis = keepWithinWords(all, max_words)
    const total = found.num_results
    const isLast = page >= found.num_pages
    const data = { total, page, next_page: isLast ? null : page + 1, apis }
    const next = isLast ? '' : ` More: page ${page + 1}.`
    return {
      data,
      summary:
        total === 0
          ? `No API found for "${cutText(query, 100)}". Use fewer or other words, or leave out the filters.`
          : `${formatCount(total, 'API')} found, best first.${describeRest(apis, all)}${next} Next: describe_endpoint with an endpoint_id.`,
      lines: apis.flatMap((one) => [
        `${one.name} (${one.vendor}${one.category === '' ? '' : `, ${one.category}`}${one.kind === 'http' ? '' : `, ${formatApiKind(one.kind)}`}), api_id ${one.api_id}, authentication: ${one.auth_types.join(', ')}`,
        ...(one.description === '' ? [] : [`  ${one.description}`]),
        ...one.endpoints.map(
          ({ endpoint_id, method, url, summary }) =>
            `  ${endpoint_id}: ${method} ${url} ${summary}`,
        ),
      ]),
    }
  },
})
