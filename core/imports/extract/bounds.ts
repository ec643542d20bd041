import type {
  ApiDescription,
  EndpointDescription,
  Parameter,
  SecurityRequirement,
  Server,
} from '../../catalogue/records.ts'
import { truncateText } from '../../shared/text.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import { estimateParameterSize, measureJson } from './budget.ts'
import type { ExtractionContext } from './context.ts'
import type { FoundOperation } from './operations.ts'

/**
 * Truncates the stored data of endpoints and APIs to `ENDPOINT_LIMITS`, with a warning for each
 * cut.
 */
export interface Bounds {
  /** False, with a warning, if a path is too long to import its operations. */
  isPathWithin(operation: Pick<FoundOperation, 'path' | 'inbound' | 'pointer'>): boolean
  /** Returns `endpoint` itself if it is within bounds. `pointer` points to its operation. */
  cutEndpoint(endpoint: EndpointDescription, pointer: string): EndpointDescription
  cutApi(api: ApiDescription): ApiDescription
}

/** Creates the bounds of one extraction. Parts shared by endpoints are cut and reported once. */
export function createBounds(context: ExtractionContext): Bounds {
  const parameters = new Map<Parameter, Parameter | undefined>()
  const serverLists = new Map<readonly Server[], readonly Server[]>()
  const securities = new Map<readonly SecurityRequirement[], readonly SecurityRequirement[]>()
  const cutter = createCutter(context)
  const { cutText, cutList, cutNames } = cutter

  return {
    isPathWithin({ path, inbound, pointer }) {
      if (path.length + inbound.length <= maxPath) return true
      context.warn(pointer, `Path longer than ${maxPath} characters; skipped`)
      return false
    },

    cutEndpoint(endpoint, pointer) {
      const { servers, tags, body } = endpoint
      const bounded: EndpointDescription = {
        ...endpoint,
        servers: cutServers(servers, pointer),
        summary: cutText(endpoint.summary, maxText, `${pointer}/summary`),
        description: cutText(endpoint.description, maxText, `${pointer}/description`),
        operationId: cutText(endpoint.operationId, maxName, `${pointer}/operationId`),
        tags: cutNames(tags, 'tags', `${pointer}/tags`),
        parameters: cutParameters(endpoint.parameters, pointer),
        body: body && {
          ...body,
          mediaTypes: cutNames(body.mediaTypes, 'media types', `${pointer}/requestBody`),
        },
        security: cutSecurity(endpoint.security, `${pointer}/security`),
        declaredStatuses: cutNames(endpoint.declaredStatuses, 'statuses', `${pointer}/responses`),
      }
      return truncateToStoredSize(context, bounded, pointer)
    },

    cutApi(api) {
      return {
        ...api,
        description: cutText(api.description, maxText, '/info/description'),
        version: cutText(api.version, maxName, '/info/version'),
        servers: cutServers(api.servers, ''),
        tags: cutNames(api.tags, 'tags', '/tags'),
        licenses: api.licenses.map((license) => ({
          name: cutText(license.name, maxName, '/info/license/name'),
          url: license.url.length > maxPath ? '' : license.url,
        })),
        contact: {
          name: cutText(api.contact.name, maxName, '/info/contact/name'),
          url: api.contact.url.length > maxPath ? '' : api.contact.url,
          email: cutText(api.contact.email, maxName, '/info/contact/email'),
        },
        homepage: api.homepage.length > maxPath ? '' : api.homepage,
        image: api.image.length > maxPath ? '' : api.image,
      }
    },
  }

  function cutServers(servers: readonly Server[], pointer: string): readonly Server[] {
    const cut = serverLists.get(servers) ?? truncateServers(cutter, servers, `${pointer}/servers`)
    serverLists.set(servers, cut)
    return cut
  }

  function cutSecurity(
    security: readonly SecurityRequirement[],
    at: string,
  ): readonly SecurityRequirement[] {
    const cut = securities.get(security) ?? truncateSecurity(cutter, security, at)
    securities.set(security, cut)
    return cut
  }

  function cutParameters(list: readonly Parameter[], pointer: string): readonly Parameter[] {
    const at = `${pointer}/parameters`
    const first = cutList(list, maxParameters, { noun: 'parameters', at })
    let isSame = first === list
    const kept: Parameter[] = []
    for (const parameter of first) {
      const cut = cutParameter(parameter, at)
      if (cut !== parameter) isSame = false
      if (cut) kept.push(cut)
    }
    return isSame ? list : kept
  }

  function cutParameter(parameter: Parameter, at: string): Parameter | undefined {
    if (parameters.has(parameter)) return parameters.get(parameter)
    const cut = truncateParameter(context, parameter, at)
    parameters.set(parameter, cut)
    return cut
  }
}

const { maxPath, maxParameters, maxEnum, maxItems, maxText, maxName, maxKept } = ENDPOINT_LIMITS
const { maxAlternatives, maxSchemes } = ENDPOINT_LIMITS

type Cutter = ReturnType<typeof createCutter>

/** Creates the functions that shorten texts and lists, with a warning for each cut. */
function createCutter({ warn }: Pick<ExtractionContext, 'warn'>) {
  return { cutText, cutList, cutNames, warn }

  function cutText(text: string, max: number, at: string): string {
    if (text.length <= max) return text
    warn(at, `Truncated from ${text.length} to ${max} characters`)
    return truncateText(text, max)
  }

  function cutList<Item>(
    items: readonly Item[],
    max: number,
    of: { readonly noun: string; readonly at: string },
  ): readonly Item[] {
    if (items.length <= max) return items
    warn(of.at, `More than ${max} ${of.noun}; the rest were ignored`)
    return items.slice(0, max)
  }

  function cutNames(names: readonly string[], noun: string, at: string): readonly string[] {
    const kept = names.every(({ length }) => length <= maxName)
      ? names
      : names.filter(({ length }) => length <= maxName)
    if (kept.length < names.length) {
      warn(at, `Ignored ${noun} longer than ${maxName} characters`)
    }
    return cutList(kept, maxItems, { noun, at })
  }
}

function truncateServers(
  cutter: Cutter,
  servers: readonly Server[],
  at: string,
): readonly Server[] {
  const { cutList, warn } = cutter
  const isLong = (text: string) => text.length > maxPath
  const fitting = servers.filter(({ url, name }) => !isLong(url) && !isLong(name))
  if (fitting.length < servers.length) warn(at, 'Ignored servers with a too long URL or name')
  const kept = cutList(fitting, maxItems, { noun: 'servers', at }).map((server) => {
    const variables = cutList(server.variables, maxItems, { noun: 'variables', at })
    const isFitting = variables.every(({ values }) => values.length <= maxItems)
    if (isFitting && variables === server.variables) return server
    const cut = variables.map((variable) => ({
      ...variable,
      values: cutList(variable.values, maxItems, { noun: 'values of a variable', at }),
    }))
    return { ...server, variables: cut }
  })
  const isSame = kept.every((server, index) => server === servers[index])
  return isSame && kept.length === servers.length ? servers : kept
}

function truncateParameter(
  context: ExtractionContext,
  parameter: Parameter,
  at: string,
): Parameter | undefined {
  const { name, description, defaultValue = '', exampleValue = '', items } = parameter
  if (name.length > maxName) {
    context.warn(at, `Ignored a parameter whose name has ${name.length} characters`)
    return undefined
  }
  const isWithin =
    Math.max(description.length, defaultValue.length, exampleValue.length) <= maxText &&
    Math.max(parameter.enum.length, items?.enum.length ?? 0) <= maxEnum &&
    estimateParameterSize(parameter) <= maxKept
  if (isWithin) return parameter
  const what = `Parameter ${JSON.stringify(name.slice(0, 200))}`
  context.warn(at, `${what} is too large; its texts and allowed values were truncated`)
  return {
    ...parameter,
    description: truncateText(description, maxText),
    defaultValue: defaultValue.length > maxText ? undefined : parameter.defaultValue,
    exampleValue: exampleValue.length > maxText ? undefined : parameter.exampleValue,
    enum: cutValues(parameter.enum),
    ...(items ? { items: { ...items, enum: cutValues(items.enum) } } : {}),
  }
}

function truncateSecurity(
  cutter: Cutter,
  security: readonly SecurityRequirement[],
  at: string,
): readonly SecurityRequirement[] {
  const { cutList, cutNames } = cutter
  const kept = cutList(security, maxAlternatives, { noun: 'security alternatives', at })
  const isWithin = kept.every(
    (schemes) =>
      schemes.length <= maxSchemes &&
      schemes.every(({ scopes, scheme }) => scopes.length <= maxItems && scheme.length <= maxName),
  )
  return isWithin
    ? kept
    : kept.map((schemes) =>
        cutList(schemes, maxSchemes, { noun: 'schemes in one alternative', at }).map((use) => ({
          ...use,
          scheme: use.scheme.slice(0, maxName),
          scopes: cutNames(use.scopes, 'scopes', at),
        })),
      )
}

/** Drops the largest data first: example and schema of the response, then the last parameters. */
function truncateToStoredSize(
  context: ExtractionContext,
  endpoint: EndpointDescription,
  pointer: string,
): EndpointDescription {
  const { response } = endpoint
  let bounded = endpoint
  let left = maxKept - estimateFixedSize(endpoint)
  let count = 0
  for (const parameter of endpoint.parameters) {
    left -= estimateParameterSize(parameter)
    if (left < 0) break
    count += 1
  }
  if (count < endpoint.parameters.length) {
    const reason = `exceed ${maxKept} characters; only the first ${count} were imported`
    context.warn(`${pointer}/parameters`, `Parameters ${reason}`)
    bounded = { ...bounded, parameters: endpoint.parameters.slice(0, count) }
  }
  if (!response) return bounded
  const at = `${pointer}/responses`
  const takes = (text: string | undefined, noun: string): string | undefined => {
    if (text === undefined) return undefined
    if (text.length <= left) {
      left -= text.length
      return text
    }
    context.warn(at, `Ignored ${noun} of ${text.length} characters: too large to store`)
    return undefined
  }
  const schema = takes(response.schema, 'a schema')
  const example = takes(response.example, 'an example')
  if (schema === response.schema && example === response.example) return bounded
  return { ...bounded, response: { ...response, schema, example } }
}

function cutValues(values: readonly string[]): readonly string[] {
  let room = maxKept / 4
  const kept: string[] = []
  for (const value of values) {
    room -= value.length
    if (room < 0 || kept.length === maxEnum) break
    kept.push(value)
  }
  return kept
}

function estimateFixedSize(endpoint: EndpointDescription): number {
  const { summary, description, tags, body, security, servers, declaredStatuses } = endpoint
  let size = summary.length + description.length + endpoint.url.length + endpoint.path.length
  for (const list of [tags, declaredStatuses, body?.mediaTypes ?? []]) {
    for (const text of list) size += text.length + 3
  }
  return size + measureJson(security) + measureJson(servers)
}
