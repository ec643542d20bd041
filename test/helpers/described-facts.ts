type Json = Readonly<Record<string, unknown>>

/** Facts of a real description, read without the code under test. */
export interface DescribedFacts {
  /** In document order. */
  readonly operations: readonly DescribedOperation[]
  /** Absolute http and https URLs of the whole document, unchanged. */
  readonly servers: readonly string[]
  readonly contactHost: string
  /** Types of the required security schemes: `oauth2`, `apiKey query`. */
  readonly schemes: readonly string[]
  /** Whether the document declares its authentication, or that there is none. */
  readonly declaresSecurity: boolean
}

export interface DescribedOperation {
  /** `GET /things`. */
  readonly name: string
  readonly isDeprecated: boolean
  readonly isDescribed: boolean
  readonly has429: boolean
  /** Whether it works without authentication. */
  readonly isOpen: boolean
  /** Whether a success response has a schema or an example. */
  readonly isAnswered: boolean
  /** Names of its parameters outside the path, and of the members of its body. */
  readonly parameters: readonly string[]
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** Reads the facts of a description of any version. */
export function readDescribedFacts(document: Json): DescribedFacts {
  const items = Object.entries(toJson(document.paths)).filter(([path]) => path.startsWith('/'))
  const found = items.flatMap(([path, given]) => {
    const item = resolve(document, given)
    return METHODS.filter((method) => isJson(item[method])).map((method) => {
      const operation = toJson(item[method])
      return { path, method, item, operation }
    })
  })
  const schemes = toSchemes(document)
  const isSaid = document.security !== undefined || found.some((each) => each.operation.security)
  const asked = found.map(({ operation }) =>
    isSaid ? toList(operation.security ?? document.security) : [...schemes.keys()].map(toUse),
  )
  const used = new Set(asked.flat().flatMap((each) => Object.keys(toJson(each))))
  return {
    operations: found.map(({ path, method, item, operation }, index) => ({
      name: `${method.toUpperCase()} ${path}`,
      isDeprecated: operation.deprecated === true,
      isDescribed: [operation, item].some((one) => isText(one.summary) || isText(one.description)),
      has429: Object.keys(toJson(operation.responses)).includes('429'),
      isOpen: !asked[index]?.length || asked[index].some(isEmpty),
      isAnswered: isAnswered(document, operation),
      parameters: [
        ...[...toList(item.parameters), ...toList(operation.parameters)]
          .map((each) => resolve(document, each))
          .filter((each) => each.in !== 'path')
          .map(({ name }) => String(name)),
        ...toBodyNames(document, operation),
      ],
    })),
    servers: toServers(document).filter((url) => /^https?:\/\//i.test(url)),
    contactHost: toHost(String(toJson(toJson(document.info).contact).url ?? '')),
    schemes: [...new Set([...used].flatMap((name) => schemes.get(name) ?? []))],
    declaresSecurity:
      document.security !== undefined ||
      schemes.size > 0 ||
      found.some(({ operation }) => toList(operation.security).some((each) => !isEmpty(each))),
  }
}

export function toHost(url: string): string {
  return /^https?:\/\/([^/?#:]*)/i.exec(url)?.[1]?.toLowerCase() ?? ''
}

function toSchemes(document: Json): ReadonlyMap<string, string> {
  const all = document.securityDefinitions ?? toJson(document.components).securitySchemes
  return new Map(
    Object.entries(toJson(all)).map(([name, given]) => {
      const { type, in: place, scheme } = resolve(document, given)
      return [name, [type, place ?? scheme].filter((part) => part !== undefined).join(' ')]
    }),
  )
}

function toServers(document: Json): readonly string[] {
  if (document.swagger === undefined) {
    return toList(document.servers).map((server) => String(toJson(server).url))
  }
  const { host, schemes, basePath = '' } = document
  return toList(host === undefined ? [] : (schemes ?? [])).map(
    (scheme) => `${scheme}://${host}${basePath}`,
  )
}

function toBodyNames(document: Json, { requestBody }: Json): readonly string[] {
  const media = Object.values(toJson(resolve(document, requestBody).content))
  return media.flatMap((one) => {
    return Object.keys(toJson(resolve(document, toJson(one).schema).properties))
  })
}

/** Returns success responses, else any others that are not failures. */
function isAnswered(document: Json, { responses }: Json): boolean {
  const successes = Object.entries(toJson(responses))
    .filter(([status]) => /^(?:[12]|default)/i.test(status))
    .map(([, given]) => resolve(document, given))
  return successes.some(({ schema, examples, content }) => {
    const media = Object.values(toJson(content)).map(toJson)
    const given = media.flatMap((one) => [one.schema, one.example, one.examples])
    return [schema, ...given].some((one) => one !== undefined) || !isEmpty(examples)
  })
}

const toUse = (name: string): Json => ({ [name]: [] })

function resolve(document: Json, given: unknown, depth = 0): Json {
  const value = toJson(given)
  if (typeof value.$ref !== 'string' || !value.$ref.startsWith('#/') || depth > 5) return value
  const steps = value.$ref.slice(2).split('/')
  const found = steps.reduce<unknown>(
    (at, step) => toJson(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  return resolve(document, found, depth + 1)
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toJson(value: unknown): Json {
  return isJson(value) ? value : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isEmpty(value: unknown): boolean {
  return Object.keys(toJson(value)).length === 0
}
