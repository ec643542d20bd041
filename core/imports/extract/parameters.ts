import type { Parameter, ParameterPlacement } from '../../catalogue/records.ts'
import {
  asList,
  asObject,
  asText,
  getOwnMember,
  isObject,
  type JsonObject,
  toWireText,
} from '../../schemas/values.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import { readConstraints, toType } from './constraints.ts'
import type { ExtractionContext, Located } from './context.ts'
import { findAnnotation, findExample, type SchemaReader } from './schemas.ts'

/** Resolved parameters of an operation; Swagger's body parameter is separate. */
export interface ParameterList {
  readonly parameters: readonly Parameter[]
  /** Swagger 2.0 `in: body`. */
  readonly body: Located | undefined
}

/** Reads parameter objects. One shared by reference is read once. */
export interface ParameterReader {
  /**
   * Merges path-level and operation-level parameters; the latter override by name and placement.
   */
  read(lists: readonly ParameterSource[], path: string): ParameterList
}

/** A `parameters` array and its location. */
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
export function createParameterReader(
  context: ExtractionContext,
  schemas: SchemaReader,
): ParameterReader {
  const known = new Map<JsonObject, Parameter>()

  const read = (lists: readonly ParameterSource[], path: string): ParameterList => {
    const parameters: Parameter[] = []
    const names = new Set<string>()
    let body: Located | undefined
    for (const { value, at } of lists) {
      const items = isObject(value) ? Object.values(value) : asList(value)
      for (let index = 0; index < items.length; index += 1) {
        // Reads one more than is stored, so that `bounds.ts` cuts it and warns.
        if (parameters.length > ENDPOINT_LIMITS.maxParameters) break
        const place = () => `${at()}/${index}`
        const located = context.resolve(items[index], place)
        if (!located) {
          if (!isObject(items[index])) context.warn(place(), 'Not a parameter; ignored')
          continue
        }
        if (context.isSwagger && located.node.in === 'body') {
          body = located
          continue
        }
        const parameter = known.get(located.node) ?? toParameter(located.node, path, place)
        if (!parameter) continue
        if (located.node !== items[index]) known.set(located.node, parameter)
        addOrReplaceParameter(parameter, parameters, names)
      }
    }
    return { parameters: addUndeclared(parameters, path), body }
  }
  return { read }

  function toParameter(node: JsonObject, path: string, at: () => string): Parameter | undefined {
    const name = asText(node.name)
    if (name === '') return void context.warn(at(), 'Parameter without a name; ignored')
    const declared = asText(node.in)
    const isInPath = path.includes(`{${name}}`)
    const guess = isInPath ? 'path' : 'query'
    const placement = PLACEMENTS.get(declared.toLowerCase())
    if (!placement)
      context.warn(at(), `Invalid "in" value ${JSON.stringify(declared)}; using "${guess}"`)
    return buildParameter(node, name, placement ?? guess)
  }

  function buildParameter(
    node: JsonObject,
    name: string,
    placement: ParameterPlacement,
  ): Parameter {
    const [contentType, media] = Object.entries(asObject(node.content))[0] ?? []
    const schema = media === undefined ? node.schema : asObject(media).schema
    const summary = schemas.summarise(isObject(schema) ? schema : node)
    const example =
      readDocumentedExample(context, node) ??
      readDocumentedExample(context, asObject(media)) ??
      findExample(summary)
    const explode = node.explode
    const type = toType(summary, placement)
    // The default of Swagger 2.0 differs from that of OpenAPI 3.
    const usualFormat = context.isSwagger && type === 'array' ? 'csv' : undefined
    return {
      name,
      placement,
      isRequired: placement === 'path' || isTrueOrTrueString(node.required),
      type,
      format: summary.format,
      description: asText(node.description) || asText(findAnnotation(summary, 'description')),
      defaultValue: toWireText(findAnnotation(summary, 'default') ?? node.default ?? undefined),
      exampleValue: toWireText(example ?? undefined),
      ...readConstraints(summary, schemas, placement),
      style: asText(node.style) || undefined,
      explode: typeof explode === 'boolean' ? explode : undefined,
      collectionFormat: asText(node.collectionFormat) || usualFormat,
      allowReserved: node.allowReserved === true,
      isDeprecated: node.deprecated === true,
      contentType,
    }
  }
}

/**
 * Returns the documented example of a parameter or media object: `example`, `x-example`, or the
 * first of `examples`.
 */
export function readDocumentedExample(context: ExtractionContext, owner: JsonObject): unknown {
  const single = getOwnMember(owner, 'example') ?? getOwnMember(owner, 'x-example')
  if (single !== undefined) return single
  const examples = getOwnMember(owner, 'examples')
  if (Array.isArray(examples)) return examples[0]
  for (const [name, example] of Object.entries(asObject(examples))) {
    const located = context.resolve(example, () => `/examples/${name}`)
    for (const key of located ? EXAMPLE_VALUES : []) {
      const value = getOwnMember(located?.node, key)
      if (value !== undefined) return value
    }
  }
  return undefined
}

/** Members of an example object, in order of preference; the last two since OpenAPI 3.2. */
const EXAMPLE_VALUES = ['value', 'dataValue', 'serializedValue']

/** True for `true` and the string `"true"`, which some generators write. */
export function isTrueOrTrueString(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Adds a parameter, or replaces the one with the same name and placement. */
function addOrReplaceParameter(
  parameter: Parameter,
  parameters: Parameter[],
  names: Set<string>,
): void {
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

/**
 * Adds parameters for names of the path template that no parameter declares: they are required too.
 */
function addUndeclared(parameters: Parameter[], path: string): readonly Parameter[] {
  if (!path.includes('{')) return parameters
  const inPath = parameters.filter(({ placement }) => placement === 'path')
  const names = new Set(inPath.map(({ name }) => name))
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!names.has(name)) parameters.push({ ...UNDECLARED_PARAMETER, name })
    names.add(name)
  }
  return parameters
}

const UNDECLARED_PARAMETER: Parameter = {
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
