import { flatten, isRaw, listOf, type Raw, resolve, sample, toRaw } from './raw.ts'

/** An operation of a raw description, with input values and the expected request. */
export interface Reading {
  readonly method: string
  readonly path: string
  readonly values: Raw
  readonly expected: {
    readonly start: string
    /** Encoded pairs, sorted. */
    readonly pairs: readonly string[]
    readonly headers: Readonly<Record<string, string>>
    /** JSON as its value, forms as their pairs. */
    readonly body: unknown
  }
}

/** Reason to skip an operation: other tests cover it, or it cannot be sent. */
export type Skip = { readonly skipped: string }

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']

/** All operations of a description, each read or skipped. Written from the standards alone. */
export function* readOperations(document: Raw): Iterable<Reading | Skip> {
  for (const [path, item] of Object.entries(toRaw(document.paths))) {
    const owner = resolve(document, item)
    for (const method of METHODS) {
      const operation = owner?.[method]
      if (owner && isRaw(operation))
        yield readOperation(document, { path, method, owner, operation })
    }
  }
}

interface Place {
  readonly path: string
  readonly method: string
  readonly owner: Raw
  readonly operation: Raw
}

interface Sent {
  readonly name: string
  readonly in: string
  readonly value: unknown
  readonly raw: Raw
}

function readOperation(document: Raw, place: Place): Reading | Skip {
  const { path, method, operation } = place
  if (/[?#]/.test(path)) return { skipped: 'a query in the path' }
  const isSwagger = document.swagger === '2.0'
  const server = isSwagger ? swaggerServer(document, operation) : openApiServer(document, place)
  if (server === undefined) return { skipped: 'no absolute server' }
  const sent = [...parametersOf(document, place)]
  if (sent.some(({ value }) => value === undefined)) return { skipped: 'a value is not known' }
  const body = readBody(document, operation)
  if ('skipped' in body) return body
  const keys = securityOf(document, operation, [...sent, ...body.fields])
  const all = [...sent, ...body.fields, ...keys]
  const holes = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name)
  const inPath = all.filter((one) => one.in === 'path').map(({ name }) => name)
  if (holes.toSorted().join() !== inPath.toSorted().join()) return { skipped: 'a path of its own' }

  const described = all.filter((one) => !keys.includes(one))
  const values = all.map((one) => {
    const rivals = (described.includes(one) ? described : all).filter(
      ({ name }) => name === one.name,
    )
    return [rivals.length === 1 ? one.name : `${one.in}.${one.name}`, one.value]
  })
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name) => {
    const one = all.find((other) => other.in === 'path' && other.name === name)
    return one ? joined(one).map(encode).join(',') : ''
  })
  const pairs = all
    .filter((one) => one.in === 'query')
    .flatMap((one) => queryPairs(one, isSwagger))
    .toSorted()
  const headers = all
    .filter((one) => one.in === 'header')
    .map((one) => [one.name.toLowerCase(), joined(one).join(',')] as const)
  const type = body.contentType === undefined ? [] : [['content-type', body.contentType] as const]
  return {
    method,
    path,
    values: Object.fromEntries(values),
    expected: {
      start: server.replace(/\/$/, '') + filled,
      pairs,
      headers: Object.fromEntries([...headers, ...type]),
      body: body.expected,
    },
  }
}

/** RFC 3986 2.3. */
function encode(text: string): string {
  let encoded = ''
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte)
    const hex = byte.toString(16).toUpperCase().padStart(2, '0')
    encoded += /[A-Za-z0-9._~-]/.test(character) ? character : `%${hex}`
  }
  return encoded
}

function joined({ value }: Sent): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String)
}

function queryPairs(one: Sent, isSwagger: boolean): readonly string[] {
  const items = joined(one).map(encode)
  const name = encode(one.name)
  if (!Array.isArray(one.value)) return [`${name}=${items[0]}`]
  const { collectionFormat = 'csv', style = 'form', explode } = one.raw
  const isRepeated = isSwagger
    ? collectionFormat === 'multi'
    : explode === true || (explode !== false && style === 'form')
  if (isRepeated) return items.map((item) => `${name}=${item}`)
  const joint = isSwagger
    ? { csv: ',', ssv: '%20', tsv: '%09', pipes: '%7C' }[String(collectionFormat)]
    : { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' }[String(style)]
  return [`${name}=${items.join(joint)}`]
}

/** Selects all required parameters, and optional ones that have a value and are not objects. */
function* parametersOf(document: Raw, { owner, operation }: Place): Iterable<Sent> {
  const found = new Map<string, Raw>()
  for (const item of [...listOf(owner.parameters), ...listOf(operation.parameters)]) {
    const parameter = resolve(document, item)
    if (parameter) found.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  for (const raw of found.values()) {
    if (raw.in === 'body' || raw.in === 'formData') continue
    const isPlain =
      raw.content === undefined && !['label', 'matrix', 'deepObject'].includes(String(raw.style))
    const schema = raw.schema === undefined ? raw : raw.schema
    const value = isPlain && raw.allowReserved !== true ? sample(document, schema) : undefined
    const isFlat = !isRaw(value) && !(Array.isArray(value) && value.some((item) => isRaw(item)))
    const name = String(raw.name)
    const known = isFlat && raw.in !== 'cookie' ? fit(raw, value) : undefined
    if (known !== undefined) yield { name, in: String(raw.in), value: known, raw }
    else if (raw.required === true || raw.in === 'path') {
      yield { name, in: String(raw.in), value: undefined, raw }
    }
  }
}

/** Headers contain only Latin-1, and the body's own type is excluded. */
function fit(raw: Raw, value: unknown): unknown {
  if (raw.in !== 'header') return value
  return /^(?:content-|host$|accept$)/i.test(String(raw.name)) ? undefined : value
}

type Body = {
  readonly fields: readonly Sent[]
  readonly contentType: string | undefined
  readonly expected: unknown
}

const NO_BODY: Body = { fields: [], contentType: undefined, expected: undefined }

function readBody(document: Raw, operation: Raw): Body | Skip {
  if (document.swagger === '2.0') return readSwaggerBody(document, operation)
  const requestBody = resolve(document, operation.requestBody)
  if (!requestBody) return NO_BODY
  const content = toRaw(requestBody.content)
  const types = Object.keys(content)
  const type =
    types.find((name) => /json/.test(name)) ??
    types.find((name) => /urlencoded|form-data/.test(name)) ??
    types[0]
  if (type === undefined || !/[/+]json$|urlencoded$|form-data$/.test(type)) {
    return { skipped: 'a body of another kind' }
  }
  const media = toRaw(content[type])
  if (isRaw(media.encoding)) return { skipped: 'a form with encodings' }
  return toRequestBody(document, {
    schema: media.schema,
    type,
    required: requestBody.required === true,
  })
}

function readSwaggerBody(document: Raw, operation: Raw): Body | Skip {
  const parameters = listOf(operation.parameters).map((item) => resolve(document, item) ?? {})
  const consumes = listOf(operation.consumes ?? document.consumes).map(String)
  const whole = parameters.find((parameter) => parameter.in === 'body')
  const form = parameters.filter((parameter) => parameter.in === 'formData')
  if (whole) {
    const type = consumes.find((name) => /json/.test(name)) ?? consumes[0] ?? 'application/json'
    if (!/[/+]json$/.test(type)) return { skipped: 'a body of another kind' }
    return toRequestBody(document, {
      schema: whole.schema,
      type,
      required: whole.required === true,
    })
  }
  if (form.length === 0) return NO_BODY
  const fields = form.flatMap((raw): Sent[] => {
    const value = raw.type === 'file' ? 'file text' : sample(document, raw)
    const isList = Array.isArray(value) && raw.collectionFormat !== 'multi'
    if (value === undefined || isList) return raw.required === true ? [unknown(raw)] : []
    return [{ name: String(raw.name), in: 'formData', value, raw }]
  })
  if (fields.some(({ value }) => value === undefined)) return { skipped: 'a value is not known' }
  if (fields.length === 0) return NO_BODY
  const hasFile = form.some((raw) => raw.type === 'file')
  const forms = consumes.filter((name) => /urlencoded|form-data/.test(name))
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const type = hasFile ? 'multipart/form-data' : (forms[0] ?? usual)
  return { fields, contentType: type, expected: formOf(fields) }
}

function unknown(raw: Raw): Sent {
  return { name: String(raw.name), in: 'formData', value: undefined, raw }
}

function toRequestBody(
  document: Raw,
  media: { readonly schema: unknown; readonly type: string; readonly required: boolean },
): Body | Skip {
  const schema = flatten(document, media.schema)
  if (!schema) return { skipped: 'a body with alternatives' }
  const isJson = /json$/.test(media.type)
  const where = isJson ? 'body' : 'formData'
  if (schema.type === 'array' && isJson) {
    const value = sample(document, schema)
    if (value === undefined) return { skipped: 'a value is not known' }
    const field = { name: 'body', in: 'body', value, raw: {} }
    return { fields: [field], contentType: media.type, expected: value }
  }
  if (!isRaw(schema.properties)) return { skipped: 'a body without properties' }
  const fields: Sent[] = []
  for (const [name, property] of Object.entries(schema.properties)) {
    const inner = flatten(document, property)
    if (inner?.readOnly === true) continue
    const isFile = !isJson && inner?.format === 'binary'
    const value = isFile ? 'file text' : sample(document, property)
    const isOdd = !isJson && (isRaw(value) || Array.isArray(value))
    if (value !== undefined && !isOdd) fields.push({ name, in: where, value, raw: toRaw(inner) })
    else if (listOf(schema.required).includes(name)) return { skipped: 'a value is not known' }
  }
  if (fields.length === 0) {
    return media.required ? { skipped: 'a body without values' } : NO_BODY
  }
  const object = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  const hasFile = fields.some(({ value }) => !isJson && value === 'file text')
  const contentType = hasFile ? 'multipart/form-data' : media.type
  return { fields, contentType, expected: isJson ? object : formOf(fields) }
}

/** Pairs of a form, sorted. */
function formOf(fields: readonly Sent[]): readonly string[] {
  return fields
    .flatMap(({ name, value }) =>
      (Array.isArray(value) ? value : [value]).map((item) => `${name}=${String(item)}`),
    )
    .toSorted()
}

/** The first alternative: keys by name, everything else as `Authorization`. */
function securityOf(document: Raw, operation: Raw, taken: readonly Sent[]): readonly Sent[] {
  const schemes = toRaw(document.securityDefinitions ?? toRaw(document.components).securitySchemes)
  const first = toRaw(listOf(operation.security ?? document.security)[0])
  const keys = new Map<string, Sent>()
  for (const name of Object.keys(first)) {
    const scheme = resolve(document, schemes[name])
    if (!scheme || scheme.type === 'mutualTLS') continue
    const isKey = scheme.type === 'apiKey'
    const key = {
      name: isKey ? String(scheme.name) : 'Authorization',
      in: isKey ? String(scheme.in) : 'header',
      value: isKey ? 'key 1' : 'Bearer t',
      raw: {},
    }
    if (key.in !== 'query' && key.in !== 'header') continue
    const place = `${key.in} ${key.name.toLowerCase()}`
    if (!taken.some((one) => `${one.in} ${one.name.toLowerCase()}` === place)) keys.set(place, key)
  }
  return [...keys.values()]
}

function swaggerServer(document: Raw, operation: Raw): string | undefined {
  if (typeof document.host !== 'string') return undefined
  const schemes = listOf(operation.schemes ?? document.schemes)
  const scheme = schemes.length === 0 || schemes.includes('https') ? 'https' : 'http'
  const base = typeof document.basePath === 'string' ? document.basePath : ''
  return `${scheme}://${document.host}${base}`.replace(/\/+$/, '')
}

function openApiServer(document: Raw, { owner, operation }: Place): string | undefined {
  const servers = listOf(operation.servers ?? owner.servers ?? document.servers).filter(isRaw)
  for (const server of servers) {
    const url = String(server.url).replace(/\{([^{}]+)\}/g, (_, name) =>
      String(toRaw(toRaw(server.variables)[name]).default),
    )
    if (/^https?:\/\/[^/]/.test(url)) return url.replace(/\/+$/, '')
  }
  return undefined
}
