import { buildOpenApiDocument } from '../../core/openapi.ts'
import { markdownTable, pageHead } from './write-markdown.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Schema
}

interface OperationDocument {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>> }>
  >
  readonly servers?: readonly { readonly url: string }[]
}

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: OperationDocument
}

const INTRO = `Every operation of the HTTP interface, by subject. Paths are below \`/api\` unless
they are marked "root". \`GET /openapi.json\` returns the same as an OpenAPI 3.1 document with all
schemas, and \`GET /docs\` shows it as a page. Send the API key in the header \`api-key\` or as
\`Authorization: Bearer\`; the [scope](scopes.md) is at the end of each description. Errors are
[problem documents](errors.md).

Unknown query parameters, form fields and members of a search are ignored. The response header
\`ignored-input\` lists up to ten of them, so that a misspelt filter is noticed.
`

/** `docs/reference/http.md`: the operations of the OpenAPI document. */
export function renderHttpPage(): string {
  const routes = readRoutes()
  const tags = [...new Set(routes.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const own = routes.filter(({ operation }) => operation.tags[0] === tag)
    if (own.length === 0) return ''
    return `## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}\n\n${groupByOperation(own).map(renderOperation).join('')}`
  })
  return `${pageHead('HTTP operations', INTRO)}\n${sections.join('')}`
}

function readRoutes(): readonly Route[] {
  const document = buildOpenApiDocument() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { servers } = item as { readonly servers?: readonly { readonly url: string }[] }
    const isRoot = servers?.every(({ url }) => url === '/') === true
    return Object.entries(item)
      .filter(([method]) => /^(?:get|post|put|delete)$/.test(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: isRoot ? `${path} (root)` : path,
        operation: operation as OperationDocument,
      }))
  })
}

/** Routes of one operation: its aliases, and POST beside GET. */
function groupByOperation(routes: readonly Route[]): readonly (readonly [Route, ...Route[]])[] {
  const groups = new Map<string, [Route, ...Route[]]>()
  for (const route of routes) {
    const { summary } = route.operation
    const group = groups.get(summary)
    if (group) group.push(route)
    else groups.set(summary, [route])
  }
  return [...groups.values()]
}

function renderOperation(routes: readonly [Route, ...Route[]]): string {
  const { operation } = routes[0]
  const addresses = routes.map(({ method, path }) => `- \`${method} ${path}\``).join('\n')
  return [
    `### ${operation.operationId}\n\n${operation.summary}.\n\n${addresses}\n\n`,
    operation.description ? `${operation.description}\n\n` : '',
    renderParameters(operation),
    renderTypes('Request body', operation.requestBody?.content),
    renderTypes('Response', findSuccess(operation)),
  ].join('')
}

function renderParameters({ parameters = [] }: OperationDocument): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((each) => [
    `\`${each.name}\``,
    each.in,
    describeType(each.schema),
    each.required ? 'required' : describeDefault(each.schema),
    each.description ?? '',
  ])
  return markdownTable(['Parameter', 'In', 'Value', 'Default', 'Meaning'], rows)
}

function renderTypes(
  title: string,
  content: Readonly<Record<string, unknown>> | undefined,
): string {
  const types = Object.keys(content ?? {})
  if (types.length === 0) return ''
  return `${title}: ${types.map((type) => `\`${type}\``).join(', ')}.\n\n`
}

function findSuccess({ responses }: OperationDocument) {
  const status = Object.keys(responses).find((each) => each.startsWith('2'))
  return status === undefined ? undefined : responses[status]?.content
}

function describeType(schema: Schema): string {
  const { type, format, minimum, maximum, maxLength, items } = schema
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (items) return `list of ${describeType(items)}`
  const name = format ?? (typeof type === 'string' ? type : (type?.join(' or ') ?? 'any'))
  if (minimum !== undefined && maximum !== undefined) return `${name}, ${minimum} to ${maximum}`
  return maxLength === undefined ? name : `${name}, up to ${maxLength} characters`
}

function describeDefault(schema: Schema): string {
  return schema.default === undefined ? '' : `\`${String(schema.default)}\``
}
