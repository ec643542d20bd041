import * as v from 'valibot'
import {
  adviseClient,
  formatApiKind,
  type SecurityRequirement,
  type ValueRange,
} from '../../../core/catalogue/index.ts'
import { defineTool } from '../define-tool.ts'
import { CHARACTERS_PER_WORD, cutText, keepWithinWords } from '../present.ts'
import { integer, maxWords, nextPage, page, SEARCH_AGAIN, text } from './inputs.ts'

const parameter = v.object({
  name: v.string(),
  placement: v.string(),
  is_required: v.boolean(),
  type: v.string(),
  description: v.string(),
  default: v.nullable(v.string()),
  example: v.nullable(v.string()),
  allowed_values: v.array(v.string()),
})

const MAX_VALUES = 20
const MAX_SERVERS = 10

/** Describes one endpoint: what a call needs, and what it returns. */
export const describeEndpoint = defineTool({
  name: 'describe_endpoint',
  title: 'Describe an endpoint',
  description:
    'Shows how to call an endpoint: parameters, body, authentication, example response. Next: call_endpoint.',
  input: v.object({
    endpoint_id: text(20, 'ID of an endpoint, from search_apis.'),
    page,
    max_words: maxWords,
  }),
  output: v.object({
    endpoint_id: v.string(),
    api_id: v.string(),
    api: v.string(),
    kind: v.string(),
    vendor: v.string(),
    method: v.string(),
    url: v.string(),
    servers: v.array(v.string()),
    summary: v.string(),
    description: v.string(),
    is_deprecated: v.boolean(),
    auth_types: v.array(v.string()),
    has_credential: v.nullable(v.boolean()),
    num_parameters: integer,
    parameters: v.array(parameter),
    next_page: nextPage,
    body_media_types: v.array(v.string()),
    example_response: v.string(),
  }),
  scope: 'read',
  effect: 'reads',
  nextSteps: { not_found: SEARCH_AGAIN },
  async run({ endpoint_id, page, max_words }, { app, caller }) {
    const endpoint = await app.catalogue.getEndpoint(endpoint_id)
    const api = await app.catalogue.getApi(String(endpoint.apiId))
    const isCallable = !endpoint.isInbound && api.kind === 'http'
    const [example, target] = await Promise.all([
      app.call('getEndpointExample', { endpoint_id: endpoint.shortId }, caller),
      isCallable && caller.scopes.has('call')
        ? app.gateway.describe(caller.account, endpoint.shortId)
        : undefined,
    ])
    const start = (page - 1) * PAGE_PARAMETERS
    const ofPage = endpoint.parameters.slice(start, start + PAGE_PARAMETERS).map((each) => ({
      name: cutText(each.name, 200),
      placement: each.placement,
      is_required: each.isRequired,
      type: each.type,
      description: cutText(each.description, 200),
      default: each.defaultValue === undefined ? null : cutText(each.defaultValue, 100),
      example: each.exampleValue === undefined ? null : cutText(each.exampleValue, 100),
      allowed_values: each.enum.slice(0, MAX_VALUES).map((value) => cutText(value, 60)),
    }))
    const parameters = keepWithinWords(ofPage, Math.ceil(max_words / 2))
    const hasMore = start + PAGE_PARAMETERS < endpoint.parameters.length
    const data = {
      endpoint_id: endpoint.shortId,
      api_id: api.encryptedId,
      api: cutText(api.name, 200),
      kind: api.kind,
      vendor: cutText(api.vendor.name, 200),
      method: endpoint.method.toUpperCase(),
      url: cutText(endpoint.url, 500),
      servers: endpoint.servers
        .slice(0, MAX_SERVERS)
        // The servers of MCP and A2A are named after their transport.
        .map(({ name, url }) => cutText((api.kind === 'http' && name) || url, 300)),
      summary: cutText(endpoint.summary, 200),
      description: cutText(endpoint.description, 1000),
      is_deprecated: endpoint.isDeprecated,
      auth_types: [...endpoint.authTypes],
      has_credential: target ? target.credentials.length > 0 : null,
      num_parameters: endpoint.parameters.length,
      parameters,
      next_page: hasMore ? page + 1 : null,
      body_media_types: (endpoint.body?.mediaTypes ?? [])
        .slice(0, MAX_VALUES)
        .map((type) => cutText(type, 100)),
      example_response: cutText(
        example.output_response,
        Math.ceil(max_words / 4) * CHARACTERS_PER_WORD,
      ),
    }
    return {
      data,
      summary: [
        api.kind !== 'http'
          ? cutText(`It belongs to an ${formatApiKind(api.kind)}. ${adviseClient(api)}.`, 500)
          : endpoint.isInbound
            ? 'The vendor calls this endpoint (webhook or callback): it cannot be called.'
            : 'Next: call_endpoint with values by parameter name.',
        describeAuthentication(data),
        parameters.length < ofPage.length ? 'Not all parameters fit: increase max_words.' : '',
        hasMore ? `More parameters: page ${page + 1}.` : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
      lines: [
        `${data.method} ${data.url} of ${data.api} (${data.vendor})${data.is_deprecated ? ', deprecated' : ''}`,
        data.description || data.summary,
        ...(data.servers.length > 1 ? [`Servers: ${data.servers.join(', ')}`] : []),
        ...(endpoint.security.length > 0 ? [toSecurityLine(endpoint.security)] : []),
        ...parameters.map((each, index) =>
          toParameterLine(each, endpoint.parameters[start + index]?.range),
        ),
        ...(data.body_media_types.length > 0
          ? [`Request body: ${data.body_media_types.join(', ')}`]
          : []),
        ...(data.example_response === '' ? [] : [`Example response: ${data.example_response}`]),
      ],
    }
  },
})

/** An endpoint with hundreds of parameters needs several pages. */
const PAGE_PARAMETERS = 60

function describeAuthentication(data: {
  readonly api_id: string
  readonly auth_types: readonly string[]
  /** Null if the key may not call endpoints. */
  readonly has_credential: boolean | null
}): string {
  if (data.has_credential) return 'The account has a credential for it, which calls use.'
  if (data.has_credential === null) return ''
  const isOpen = data.auth_types.every((type) => type === 'none' || type === 'undeclared')
  return isOpen
    ? ''
    : `It requires authentication (${data.auth_types.join(', ')}), and the account has no credential for it: ask the user to store one in the console or with "api-discovery gateway credentials set --api ${data.api_id}".`
}

/** Lists the alternatives of authentication: `Authentication: header X-Key, or query key`. */
function toSecurityLine(security: readonly SecurityRequirement[]): string {
  const alternatives = security.slice(0, MAX_VALUES).map((schemes) => {
    const parts = schemes.map(({ placement, name, authType, httpScheme }) =>
      cutText([placement, name, httpScheme || authType].filter(Boolean).join(' '), 100),
    )
    return parts.join(' and ') || 'none'
  })
  return `Authentication: ${alternatives.join(', or ')}`
}

/** Formats the bounds of a value: `minimum 1, maximum 100`. */
const formatRange = (range: ValueRange = {}) =>
  Object.entries(range)
    .map(([name, bound]) => `${name} ${bound}`)
    .join(', ')

function toParameterLine(each: v.InferOutput<typeof parameter>, range?: ValueRange): string {
  const details = [
    each.placement,
    each.type,
    each.is_required ? 'required' : '',
    each.allowed_values.length > 0 ? `one of ${each.allowed_values.join(', ')}` : '',
    formatRange(range),
    each.default === null ? '' : `default ${each.default}`,
    each.example === null ? '' : `example ${each.example}`,
  ].filter((detail) => detail !== '')
  return `- ${each.name} (${details.join('; ')}) ${each.description}`
}
