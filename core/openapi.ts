import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { type Contract, contract } from './contract.ts'
import { type Servers, toServers } from './http/base-path.ts'
import type {
  Body,
  JsonSchema,
  Operation,
  Operations,
  Output,
  Param,
  RowsOutput,
} from './http/operation.ts'
import { PROBLEM_SCHEMA, PROBLEM_TYPES } from './http/problems.ts'
import { VERSION } from './version.ts'

type Json = Record<string, unknown>

/**
 * Builds the OpenAPI 3.1 document of the service from its operations. `basePaths`, without final
 * slashes, become its servers, prefixed with `publicPath`. Operations that are not implemented yet
 * are marked with `x-not-implemented` and status 501.
 *
 * @example
 * ```ts
 * import { buildOpenApiDocument } from 'api-discovery/openapi'
 *
 * const document = buildOpenApiDocument({ basePaths: ['/api'], publicPath: '/discovery' })
 * document.servers // [{ url: '/discovery/api' }]
 * ```
 */
export function buildOpenApiDocument(
  options: { readonly basePaths?: readonly string[]; readonly publicPath?: string } = {},
): Json {
  const { basePaths = ['/api'], publicPath = '' } = options
  return buildDocument(contract satisfies Contract, toServers({ basePaths, publicPath }))
}

function buildDocument(operations: Operations, servers: Servers): Json {
  const paths: Record<string, Json> = {}
  for (const [name, operation] of Object.entries(operations)) {
    for (const [index, path] of operation.paths.entries()) {
      const item = paths[path] ?? toPathItem(operation, servers)
      paths[path] = item
      item[operation.method.toLowerCase()] = toOperation(name, operation, index)
      if (operation.alsoPost) item.post = toOperation(`${name}ByPost`, operation, index)
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'API Discovery',
      version: VERSION,
      summary: 'Catalogue, call, assess and inventory third-party APIs.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: servers.bases.map((url) => ({ url })),
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [...new Set(Object.values(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Problem: PROBLEM_SCHEMA },
      responses: {
        Problem: {
          description: 'A problem document (RFC 9457)',
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        },
        PassedOn: {
          description:
            "The target's response or, if the header `gateway-error` is set, a problem document (RFC 9457) of this service. Clients must not follow redirects: they would send their `api-key` to another origin",
          headers: {
            'gateway-error': {
              description: 'The `code` of the problem document. Never set by the target.',
              schema: { type: 'string', enum: Object.keys(PROBLEM_TYPES) },
            },
            'gateway-recording': {
              description: 'ID of the recording, if `record` was set.',
              schema: { type: 'string' },
            },
          },
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
            '*/*': {},
          },
        },
      },
    },
  }
}

function toPathItem(operation: Operation, { bases, root }: Servers): Json {
  if (operation.mount === 'root') return { servers: [{ url: root }] }
  if (operation.mount !== 'both') return {}
  return { servers: [...new Set([...bases, root])].map((url) => ({ url })) }
}

function toOperation(name: string, operation: Operation, alias: number): Json {
  const { params = {}, body, description } = operation
  const section = operation.section ? `Specification ${operation.section}.` : undefined
  const notes = [
    description,
    alias > 0 ? `Alias of ${operation.paths[0]}.` : undefined,
    operation.scope === 'public' ? undefined : `Scope: \`${operation.scope}\`.`,
    section,
  ]
  return {
    operationId: alias === 0 ? name : `${name}Alias${alias}`,
    tags: [operation.tag],
    summary: operation.summary,
    description: notes.filter((note) => note !== undefined).join(' '),
    ...(operation.scope === 'public' ? { security: [] } : {}),
    ...(operation.isPlanned ? { 'x-not-implemented': true } : {}),
    parameters: Object.entries(params).flatMap(([key, param]) => toParameters(key, param)),
    ...(body ? { requestBody: toRequestBody(body, params) } : {}),
    responses: toResponses(operation),
  }
}

/** A form field may also be in the query. */
function toParameters(name: string, param: Param): readonly Json[] {
  const isForm = param.in === 'form'
  return [
    {
      name,
      in: param.in === 'header' ? 'header' : 'query',
      required: param.isRequired && !isForm,
      description: isForm ? `${param.description} In the query or in the body.` : param.description,
      schema: param.document,
    },
  ]
}

function toRequestBody(body: Body, params: Readonly<Record<string, Param>>): Json {
  switch (body.kind) {
    case 'json':
      return {
        required: true,
        content: { 'application/json': { schema: toParameterSchema(body.schema, 'input') } },
      }
    case 'ndjson':
      return {
        required: true,
        description: `One JSON object with the rows in \`${body.at}\`, or newline-delimited JSON: the head on the first line, then one row per line.`,
        content: {
          'application/json': { schema: toRowsBodySchema(body) },
          'application/x-ndjson': { schema: toParameterSchema(body.row, 'input') },
        },
      }
    case 'values': {
      const schema = { type: 'object' }
      return {
        required: false,
        description: body.description,
        content: {
          'application/json': { schema },
          'multipart/form-data': { schema },
          'application/x-www-form-urlencoded': { schema },
        },
      }
    }
    case 'form': {
      const schema = { type: 'object', properties: toProperties(params) }
      return {
        required: false,
        content: {
          'multipart/form-data': { schema },
          'application/x-www-form-urlencoded': { schema },
          'application/json': { schema },
        },
      }
    }
    case 'file':
      return toFileBody(body, params)
  }
}

/** Returns the schema of the head with the rows as one more member. */
function toRowsBodySchema(body: Extract<Body, { kind: 'ndjson' }>): JsonSchema {
  const head = toParameterSchema(body.head, 'input')
  const rows = { type: 'array', items: toParameterSchema(body.row, 'input') }
  return { ...head, properties: { ...(head.properties as Json | undefined), [body.at]: rows } }
}

function toFileBody(
  body: Extract<Body, { kind: 'file' }>,
  params: Readonly<Record<string, Param>>,
): Json {
  const schema = {
    type: 'object',
    required: [body.name],
    properties: {
      [body.name]: { type: 'string', contentMediaType: 'application/octet-stream' },
      ...toProperties(params),
    },
  }
  const content = body.mediaTypes.map((mediaType) => [
    mediaType,
    /form/.test(mediaType) ? { schema } : {},
  ])
  return { required: true, description: body.description, content: Object.fromEntries(content) }
}

function toProperties(params: Readonly<Record<string, Param>>): Json {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => [
      name,
      { ...param.document, description: param.description },
    ]),
  )
}

function toResponses(operation: Operation): Json {
  const isPassedOn = operation.output.kind === 'raw' && operation.output.isPassedOn
  const problem = { $ref: `#/components/responses/${isPassedOn ? 'PassedOn' : 'Problem'}` }
  if (operation.isPlanned) return { 501: problem, default: problem }
  const success =
    operation.output.kind === 'empty'
      ? { 204: { description: 'Success without content' } }
      : { 200: { description: operation.summary, content: toContent(operation.output) } }
  return {
    ...success,
    ...(operation.cache
      ? { 304: { description: 'Not modified since the `ETag` in the request' } }
      : {}),
    default: problem,
  }
}

function toContent(output: Exclude<Output, { kind: 'empty' }>): Json {
  switch (output.kind) {
    case 'json':
    case 'document':
      return { 'application/json': { schema: toParameterSchema(output.schema, 'output') } }
    case 'rows':
      return { 'application/json': { schema: toEnvelopeSchema(output) } }
    case 'variants':
      return Object.fromEntries(
        Object.entries(output.mediaTypes).map(([mediaType, schema]) => [
          mediaType,
          { schema: toParameterSchema(schema, 'output') },
        ]),
      )
    case 'raw':
      return Object.fromEntries(output.mediaTypes.map((mediaType) => [mediaType, {}]))
  }
}

/** Returns the schema of the document that combines head, rows and tail. */
function toRowsSchema(output: RowsOutput): JsonSchema {
  const rows = { type: 'array', items: toParameterSchema(output.row, 'output') }
  if (output.at === undefined) return rows
  const members = [output.head, output.tail].flatMap((schema) =>
    schema ? [toParameterSchema(schema, 'output')] : [],
  )
  const own = { type: 'object', required: [output.at], properties: { [output.at]: rows } }
  return members.length === 0 ? own : { allOf: [own, ...members] }
}

/** Returns the schema of a document that nests the rows between constant members and the tail. */
function toEnvelopeSchema({ within, tail, ...inner }: RowsOutput): JsonSchema {
  if (!within) return toRowsSchema({ ...inner, ...(tail ? { tail } : {}) })
  const before = Object.entries(within.before).map(([name, value]) => [name, { const: value }])
  const own = {
    type: 'object',
    required: [...Object.keys(within.before), within.at],
    properties: { ...Object.fromEntries(before), [within.at]: toRowsSchema(inner) },
  }
  return tail ? { allOf: [own, toParameterSchema(tail, 'output')] } : own
}

function toParameterSchema(schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    target: 'draft-2020-12',
    errorMode: 'ignore',
  })
  return rest
}
