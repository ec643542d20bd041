import {
  type Api,
  adviseClient,
  CATEGORIES,
  type Endpoint,
  formatApiKind,
} from '../../../core/catalogue/index.ts'
import { describeParameters } from '../../../core/gateway/index.ts'
import type { OptionValues } from '../command-values.ts'
import { defineServiceCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { findCatalogueEntry } from '../find-api.ts'
import { type CommandIo, formatCount, type Io, printLabelledRows, toPrintable } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { formatParameters } from '../parameter-table.ts'
import type { OpenService } from '../service.ts'
import { rejectUnknownMethod } from './search.ts'

/** Endpoints read from the database at once. */
const READ_SIZE = 500

/** `show`. */
export const showCommand = defineServiceCommand({
  name: 'show',
  description: 'Show an API with servers and terms, or an endpoint with its parameters',
  arguments: [['<api>', 'ID, name or VENDOR/NAME of an API, or ID of an endpoint']],
  examples: ['show "Acme Weather"', 'show aB3dE5f --json'],
  async run(service) {
    const { io, options } = service
    const [name] = service.words
    const { api, endpoint } = await findCatalogueEntry({ io, service }, { name, verb: 'show' })
    if (endpoint) return showEndpoint(io, { api, endpoint, isJson: options.json ?? false })
    const shown = await readApiDetails(service, api)
    if (options.json) io.result(JSON.stringify(shown))
    else printApiDetails(io, shown)
  },
})

const ENDPOINT_OPTIONS = [
  ['--method <method>', 'list only endpoints with this HTTP method'],
  ['--deprecated', 'list only deprecated endpoints'],
  [
    '--size <n>',
    'endpoints per page, 1 to 10000',
    { parse: integerParser(1, 10_000), default: 100 },
  ],
  ['--page <n>', 'page number, starting at 1', { parse: integerParser(1, 1_000_000), default: 1 }],
] as const

/** `endpoints`. */
export const endpointsCommand = defineServiceCommand({
  name: 'endpoints',
  description: 'List the endpoints of an API with their IDs',
  arguments: [
    ['<api>', 'ID, name or VENDOR/NAME of the API'],
    ['[words...]', 'list only endpoints that contain all of these words'],
  ],
  options: ENDPOINT_OPTIONS,
  examples: [
    'endpoints "Acme Weather"',
    'endpoints acme/weather daily forecast --method get --json',
  ],
  async run(service) {
    const { io, options } = service
    const [name, words] = service.words
    const verb = 'list the endpoints of'
    const { api, endpoint } = await findCatalogueEntry({ io, service }, { name, verb })
    if (endpoint) {
      throw new UsageError(
        `Cannot ${verb} "${name}": it is an endpoint. Show it: api-discovery show ${name}`,
      )
    }
    const { total, endpoints } = await findEndpoints(service, { api, words, options })
    if (options.method !== undefined) rejectUnknownMethod(options.method, endpoints, '')
    const { page, size } = options
    const pages = Math.ceil(total / size)
    const found = `${api.name}: ${formatCount(total, 'endpoint')}`
    const note = toPrintable(`${found}${pages > 1 ? `, page ${page} of ${pages}` : ''}.`)
    return {
      json: {
        ...{ num_results: total, num_pages: pages, current_page: page, page_size: size },
        endpoints: endpoints.map(toEndpointJson),
      },
      ...(endpoints.length > 0 ? { table: formatEndpoints(endpoints) } : {}),
      note,
    }
  },
})

function formatEndpoints(endpoints: readonly Endpoint[]) {
  return {
    headings: ['ID', 'METHOD', 'PATH', 'SUMMARY'],
    rows: endpoints.map((endpoint) => [
      endpoint.shortId,
      endpoint.method.toUpperCase(),
      endpoint.path || endpoint.url,
      `${endpoint.isDeprecated ? '(deprecated) ' : ''}${summarizeEndpoint(endpoint)}`,
    ]),
  }
}

/** Reads the endpoints that match, page by page, and returns one page and the exact total. */
async function findEndpoints(
  { app }: OpenService,
  query: {
    readonly api: Api
    readonly words: readonly string[]
    readonly options: OptionValues<typeof ENDPOINT_OPTIONS>
  },
): Promise<{ readonly total: number; readonly endpoints: readonly Endpoint[] }> {
  const { api, options } = query
  const filter = {
    apiId: api.id,
    method: options.method?.toLowerCase(),
    isDeprecated: options.deprecated || undefined,
  }
  const words = query.words.map((word) => word.toLowerCase())
  const start = (options.page - 1) * options.size
  const endpoints: Endpoint[] = []
  let total = 0
  for (let page = 1; ; page += 1) {
    const { items, total: all } = await app.catalogue.listEndpoints(filter, {
      page,
      size: READ_SIZE,
    })
    for (const endpoint of items) {
      if (!containsAll(endpoint, words)) continue
      if (total >= start && total < start + options.size) endpoints.push(endpoint)
      total += 1
    }
    if (page * READ_SIZE >= all) return { total, endpoints }
  }
}

function containsAll(endpoint: Endpoint, words: readonly string[]): boolean {
  const { method, path, summary, description, operationId, shortId } = endpoint
  const text = [method, path, summary, description, operationId, shortId].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

type ApiDetails = Awaited<ReturnType<typeof readApiDetails>>

async function readApiDetails({ app }: OpenService, api: Api) {
  const count = async (filter: { readonly isInbound: boolean; readonly isDeprecated?: boolean }) =>
    (await app.catalogue.listEndpoints({ apiId: api.id, ...filter }, { page: 1, size: 1 })).total
  const [endpoints, deprecated, webhooks, agreements] = await Promise.all([
    count({ isInbound: false }),
    count({ isInbound: false, isDeprecated: true }),
    count({ isInbound: true }),
    app.catalogue.listAgreements(api),
  ])
  return {
    api_id: api.encryptedId,
    id: api.id,
    kind: api.kind,
    name: api.name,
    version: api.version,
    vendor: api.vendor.name,
    category: api.categoryId === undefined ? '' : (CATEGORIES[api.categoryId - 1] ?? ''),
    description: api.description,
    homepage: api.homepage || api.vendor.homepage,
    is_public_api: api.isPublic,
    servers: api.servers.map(({ url }) => url),
    auth_types: api.authTypes,
    terms: [...agreements.own, ...agreements.vendor].map(({ name, link }) => ({ name, link })),
    num_endpoints: endpoints,
    num_deprecated_endpoints: deprecated,
    num_webhooks: webhooks,
    updated: new Date(api.updatedAt).toISOString(),
  }
}

function printApiDetails(io: CommandIo, api: ApiDetails): void {
  const [lead = ''] = api.description.trim().split(/\n\s*\n/, 1)
  const rows = [
    ['API', `${api.name} ${api.version}`.trim()],
    ['ID', api.api_id],
    ...(api.kind === 'http' ? [] : [['Kind', formatApiKind(api.kind)]]),
    ['Vendor', api.vendor],
    ['Category', api.category],
    ['Homepage', api.homepage],
    ['Visibility', api.is_public_api ? 'public' : 'private'],
    ...formatLabelledRows('Servers', api.servers),
    ['Authentication', api.auth_types.join(', ').replace('undeclared', 'not declared')],
    ...formatLabelledRows(
      'Terms',
      api.terms.map(({ name, link }) => `${name} ${link}`.trim()),
    ),
    ['Endpoints', `${api.num_endpoints}, ${api.num_deprecated_endpoints} deprecated`],
    ['Webhooks', String(api.num_webhooks)],
    ['Updated', api.updated],
  ]
  printLabelledRows(io, rows)
  if (lead !== '') io.result(`\n${lead.split('\n').map(toPrintable).join('\n')}`)
  io.note(`List its endpoints: api-discovery endpoints ${api.api_id}`)
}

/** Puts the label in front of the first value only. */
function formatLabelledRows(label: string, values: readonly string[]): readonly string[][] {
  if (values.length === 0) return [[label, '']]
  return values.map((value, index) => [index === 0 ? label : '', value])
}

/** Prints an endpoint with its parameters. */
function showEndpoint(
  io: Io,
  {
    api,
    endpoint,
    isJson,
  }: { readonly api: Api; readonly endpoint: Endpoint; readonly isJson: boolean },
): void {
  const parameters = describeParameters(endpoint)
  const { shortId, method, url, summary, authTypes, isDeprecated, isInbound } = endpoint
  if (isJson) {
    const { encryptedId, name, version, vendor } = api
    const ofApi = { api_id: encryptedId, api_name: name, api_version: version, vendor: vendor.name }
    const facts = { ...toEndpointJson(endpoint), summary, url, auth_types: authTypes }
    io.result(JSON.stringify({ ...facts, ...ofApi, parameters }))
    return
  }
  const title = `${api.name} ${api.version}`.trim()
  printLabelledRows(io, [
    [isInbound ? 'Webhook' : 'Endpoint', `${method.toUpperCase()} ${url}`],
    ['ID', shortId],
    ['API', `${title} (${api.vendor.name}) ${api.encryptedId}`],
    ['Summary', summary],
    ['Authentication', authTypes.join(', ').replace('undeclared', 'not declared')],
    ['Deprecated', isDeprecated ? 'yes' : 'no'],
  ])
  io.result('')
  io.result(formatParameters(parameters))
  if (api.kind !== 'http') io.note(toPrintable(`${adviseClient(api)}.`))
  else if (!isInbound)
    io.note(`Preview a call: api-discovery gateway ${shortId} NAME=VALUE --dry-run`)
}

/** Converts an endpoint to the JSON of lists. */
function toEndpointJson(endpoint: Endpoint) {
  const { id, shortId, method, path, isDeprecated, isInbound } = endpoint
  return {
    id,
    endpoint_id: shortId,
    method,
    path,
    summary: summarizeEndpoint(endpoint),
    is_deprecated: isDeprecated,
    is_inbound: isInbound,
  }
}

/** Returns the summary, or the first line of the description, in at most 80 characters. */
function summarizeEndpoint({ summary, description }: Endpoint): string {
  const text = summary.trim() || description.trim()
  const [line = ''] = text.split('\n', 1)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
