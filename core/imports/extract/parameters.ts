import type { Parameter, ParameterPlacement } from '../../catalogue/records.ts'
import {
  isObject,
  type JsonObject,
  member,
  toList,
  toObject,
  toText,
  toWireText,
} from '../../schemas/values.ts'
import { ENDPOINT_BOUNDS } from '../limits.ts'
import { toConstraints, toType } from './constraints.ts'
import type { Context, Located } from './context.ts'
import { annotation, exampleOf, type SchemaReader } from './schemas.ts'

/** A parameter list as written, resolved and read: body and form parameters of Swagger apart. */
export interface ParameterList {
  readonly parameters: readonly Parameter[]
  /** Swagger 2.0 `in: body`. */
  readonly body: Located | undefined
}

/** Reads parameter objects; one that is shared by reference is read once. */
export interface ParameterReader {
  /** Path-level parameters with the operation's own laid over them, by name and placement. */
  read(lists: readonly ParameterSource[], path: string): ParameterList
}

/** One `parameters` array and where it stands. */
export interface ParameterSource {
  readonly value: unknown
  readonly at: () => string
}

const PLACEMENTS = new Map<string, ParameterPlacement>([
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'header'],
  ['cookie', 'cookie'],
  ['formdata', 'formData'],
  ['form', 'formData'],
  ['querystring', 'querystring'],
])

/** Creates the reader of one description's parameters. */
export function createParameterReader(context: Context, schemas: SchemaReader): ParameterReader {
  const known = new Map<JsonObject, Parameter>()

  const read = (lists: readonly ParameterSource[], path: string): ParameterList => {
    const parameters: Parameter[] = []
    const names = new Set<string>()
    let body: Located | undefined
    for (const { value, at } of lists) {
      const items = isObject(value) ? Object.values(value) : toList(value)
      for (let index = 0; index < items.length; index += 1) {
        // One more than is stored: `bounds.ts` cuts it and says so.
        if (parameters.length > ENDPOINT_BOUNDS.maxParameters) break
        const place = () => `${at()}/${index}`
        const located = context.resolve(items[index], place)
        if (!located) {
          if (!isObject(items[index])) context.warn(place(), 'is no parameter: left out')
          continue
        }
        if (context.isSwagger && located.node.in === 'body') {
          body = located
          continue
        }
        const parameter = known.get(located.node) ?? toParameter(located.node, path, place)
        if (!parameter) continue
        if (located.node !== items[index]) known.set(located.node, parameter)
        lay(parameter, parameters, names)
      }
    }
    return { parameters: addUndeclared(parameters, path), body }
  }
  return { read }

  function toParameter(node: JsonObject, path: string, at: () => string): Parameter | undefined {
    const name = toText(node.name)
    if (name === '') return void context.warn(at(), 'has no name: left out')
    const given = toText(node.in)
    const isInPath = path.includes(`{${name}}`)
    const guess = isInPath ? 'path' : 'query'
    const placement = PLACEMENTS.get(given.toLowerCase())
    if (!placement) context.warn(at(), `"in" is ${JSON.stringify(given)}: taken as ${guess}`)
    return describe(node, name, placement ?? guess)
  }

  function describe(node: JsonObject, name: string, placement: ParameterPlacement): Parameter {
    const [contentType, media] = Object.entries(toObject(node.content))[0] ?? []
    const schema = media === undefined ? node.schema : toObject(media).schema
    const summary = schemas.summarise(isObject(schema) ? schema : node)
    const example =
      exampleFrom(context, node) ?? exampleFrom(context, toObject(media)) ?? exampleOf(summary)
    const explode = node.explode
    const type = toType(summary, placement)
    // Swagger 2.0's default differs from OpenAPI 3's.
    const usualFormat = context.isSwagger && type === 'array' ? 'csv' : undefined
    return {
      name,
      placement,
      isRequired: placement === 'path' || isTrue(node.required),
      type,
      format: summary.format,
      description: toText(node.description) || toText(annotation(summary, 'description')),
      defaultValue: toWireText(annotation(summary, 'default') ?? node.default ?? undefined),
      exampleValue: toWireText(example ?? undefined),
      ...toConstraints(summary, schemas, placement),
      style: toText(node.style) || undefined,
      explode: typeof explode === 'boolean' ? explode : undefined,
      collectionFormat: toText(node.collectionFormat) || usualFormat,
      allowReserved: node.allowReserved === true,
      isDeprecated: node.deprecated === true,
      contentType,
    }
  }
}

/** A documented example of a parameter or media object: `example`, the first of `examples`, `x-example`. */
export function exampleFrom(context: Context, owner: JsonObject): unknown {
  const single = member(owner, 'example') ?? member(owner, 'x-example')
  if (single !== undefined) return single
  const examples = member(owner, 'examples')
  if (Array.isArray(examples)) return examples[0]
  for (const [name, example] of Object.entries(toObject(examples))) {
    const located = context.resolve(example, () => `/examples/${name}`)
    for (const key of located ? EXAMPLE_VALUES : []) {
      const value = member(located?.node, key)
      if (value !== undefined) return value
    }
  }
  return undefined
}

/** Of an example object; the last two since 3.2. */
const EXAMPLE_VALUES = ['value', 'dataValue', 'serializedValue']

/** True, also as the text that careless generators write. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Adds a parameter, or puts it in the place of one with the same name and placement. */
function lay(parameter: Parameter, parameters: Parameter[], names: Set<string>): void {
  const isKnown = names.has(parameter.name)
  names.add(parameter.name)
  const at = isKnown
    ? parameters.findIndex(
        ({ name, placement }) => name === parameter.name && placement === parameter.placement,
      )
    : -1
  if (at >= 0) parameters[at] = parameter
  else parameters.push(parameter)
}

/** A name of the path template that no parameter declares must be filled in all the same. */
function addUndeclared(parameters: Parameter[], path: string): readonly Parameter[] {
  if (!path.includes('{')) return parameters
  const inPath = parameters.filter(({ placement }) => placement === 'path')
  const names = new Set(inPath.map(({ name }) => name))
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!names.has(name)) parameters.push({ ...UNDECLARED, name })
    names.add(name)
  }
  return parameters
}

const UNDECLARED: Parameter = {
  name: '',
  placement: 'path',
  isRequired: true,
  type: 'string',
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
