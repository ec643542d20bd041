import { load } from 'js-yaml'
import type {
  ApiDescription,
  EndpointDescription,
  Parameter,
} from '../../core/catalogue/records.ts'
import { toTokens } from '../../core/shared/text.ts'

/** What the search tests need of a description. */
export interface PlainDescription {
  readonly api: ApiDescription
  readonly endpoints: readonly EndpointDescription[]
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** Reads names and texts of an API description; undefined for what is none. */
export function extractPlain(text: string): PlainDescription | undefined {
  const root = parse(text)
  const info = toRecord(root['info'])
  if (toTokens(toText(info['title'])).length === 0) return undefined
  const endpoints: EndpointDescription[] = []
  for (const [path, item] of Object.entries(toRecord(root['paths']))) {
    const operations = toRecord(item)
    for (const method of METHODS) {
      if (typeof operations[method] !== 'object' || operations[method] === null) continue
      endpoints.push(toEndpoint(root, { path, method, item: operations }))
    }
  }
  return {
    api: {
      name: toText(info['title']),
      version: toText(info['version']),
      majorVersion: /^v?(\d+)(\.|$|-)/.exec(toText(info['version']))?.[1] ?? '',
      description: toText(info['description']),
      homepage: '',
      authTypes: [],
      licenses: [],
      servers: [],
      tags: toList(root['tags']).map((tag) => toText(toRecord(tag)['name'])),
      contact: { name: '', url: '', email: '' },
      image: '',
    },
    endpoints,
  }
}

function toEndpoint(
  root: Json,
  at: { readonly path: string; readonly method: string; readonly item: Json },
): EndpointDescription {
  const operation = toRecord(at.item[at.method])
  const description = toText(operation['description'])
  const parameters = [...toList(at.item['parameters']), ...toList(operation['parameters'])]
  const bodies = [
    ...parameters.map((each) => resolve(root, each)).map((each) => each['schema']),
    ...Object.values(toRecord(resolve(root, operation['requestBody'])['content'])).map(
      (media) => toRecord(media)['schema'],
    ),
  ]
  const names = [
    ...parameters.map((each) => toText(resolve(root, each)['name'])),
    ...bodies.flatMap((schema) => Object.keys(toRecord(resolve(root, schema)['properties']))),
  ]
  const responses = toRecord(operation['responses'])
  const [status] = Object.keys(responses).filter((key) => key.startsWith('2'))
  const response = resolve(root, responses[status ?? 'default'])
  const schemas = [
    response['schema'],
    ...Object.values(toRecord(response['content'])).map((media) => toRecord(media)['schema']),
  ]
  const fields = new Set<string>()
  for (const schema of schemas) addFields(root, { schema, depth: 0, fields })
  return {
    method: at.method,
    path: at.path,
    key: `${at.method} ${at.path}`,
    url: at.path,
    servers: [],
    summary: toText(operation['summary']) || description.slice(0, 200),
    description,
    operationId: toText(operation['operationId']),
    tags: toList(operation['tags']).map(toText),
    parameters: [...new Set(names)].filter((name) => name !== '').map(toParameter),
    body: undefined,
    response: undefined,
    responseFields: [...fields].slice(0, 200),
    security: [],
    authTypes: [],
    isDeprecated: operation['deprecated'] === true,
    isInbound: false,
    declaredStatuses: [],
  }
}

type Json = Readonly<Record<string, unknown>>

function addFields(
  root: Json,
  at: { readonly schema: unknown; readonly depth: number; readonly fields: Set<string> },
): void {
  if (at.depth > 4 || at.fields.size > 200) return
  const schema = resolve(root, at.schema)
  const nested = [schema['items'], ...toList(schema['allOf']), ...toList(schema['oneOf'])]
  for (const [name, property] of Object.entries(toRecord(schema['properties']))) {
    at.fields.add(name)
    nested.push(property)
  }
  for (const each of nested) {
    if (each !== undefined) addFields(root, { ...at, schema: each, depth: at.depth + 1 })
  }
}

function resolve(root: Json, value: unknown): Json {
  let found = toRecord(value)
  for (let hops = 0; hops < 8 && typeof found['$ref'] === 'string'; hops += 1) {
    let target: unknown = root
    for (const key of found['$ref'].split('/').slice(1)) {
      target = toRecord(target)[key.replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    found = toRecord(target)
  }
  return found
}

function parse(text: string): Json {
  try {
    return toRecord(JSON.parse(text))
  } catch {
    return toRecord(load(text))
  }
}

function toRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function toParameter(name: string): Parameter {
  return {
    name,
    placement: 'query',
    isRequired: false,
    type: '',
    format: '',
    description: '',
    defaultValue: undefined,
    exampleValue: undefined,
    enum: [],
    style: undefined,
    explode: undefined,
    collectionFormat: undefined,
    allowReserved: false,
    isDeprecated: false,
    contentType: undefined,
  }
}
