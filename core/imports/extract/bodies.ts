import type { Parameter, RequestBody } from '../../catalogue/records.ts'
import {
  asObject,
  asText,
  asTexts,
  getOwnMember,
  isObject,
  type JsonObject,
  toWireText,
} from '../../schemas/values.ts'
import { chooseMediaType, isFormType, isJsonType } from '../../shared/media-types.ts'
import { readConstraints, toType } from './constraints.ts'
import type { ExtractionContext, Located } from './context.ts'
import { isTrueOrTrueString, readDocumentedExample } from './parameters.ts'
import { findAnnotation, findExample, type SchemaReader } from './schemas.ts'

/** A request body and its parameters (contract 4.1). */
export interface BodyParts {
  readonly body: RequestBody
  readonly parameters: readonly Parameter[]
}

/** Reads request bodies. */
export interface BodyReader {
  /** Reads an OpenAPI 3 `requestBody`; undefined if absent or unreadable. */
  readContent(requestBody: unknown, at: () => string): BodyParts | undefined
  /**
   * Reads the body of Swagger 2.0: the `in: body` parameter, or the form parameters, with
   * `consumes`.
   */
  readSwagger(
    body: Located | undefined,
    parameters: readonly Parameter[],
    consumes: unknown,
  ): BodyParts | undefined
}

type Placement = 'body' | 'formData'

/** Creates the reader of one description's bodies. A shared schema is flattened once. */
export function createBodyReader(context: ExtractionContext, schemas: SchemaReader): BodyReader {
  const flattened = {
    body: new Map<unknown, Flattened>(),
    formData: new Map<unknown, Flattened>(),
  }
  const properties = new Map<unknown, Parameter>()

  const readContent = (requestBody: unknown, at: () => string): BodyParts | undefined => {
    const located = context.resolve(requestBody, at)
    if (!located) return undefined
    const content = asObject(located.node.content)
    const mediaTypes = Object.keys(content)
    const chosen = chooseMediaType(mediaTypes)
    const media = context.resolve(getOwnMember(content, chosen), at)?.node ?? {}
    const schema = media.schema ?? toSequenceSchema(media.itemSchema)
    const parts = readParts({
      schema,
      placement: isFormType(chosen) ? 'formData' : 'body',
      mediaTypes,
      isJson: isJsonType(chosen) || chosen === '*/*' || chosen === '',
      isRequired: isTrueOrTrueString(located.node.required),
      description: asText(located.node.description),
      example: readDocumentedExample(context, media),
    })
    const encodings = asObject(media.encoding)
    if (!isFormType(chosen) || Object.keys(encodings).length === 0) return parts
    return { ...parts, parameters: parts.parameters.map((item) => applyEncoding(item, encodings)) }
  }

  const readSwagger: BodyReader['readSwagger'] = (body, parameters, consumes) => {
    const mediaTypes = asTexts(consumes)
    if (body) {
      const { node } = body
      const types = mediaTypes.length > 0 ? mediaTypes : ['application/json']
      const chosen = chooseMediaType(types)
      return readParts({
        schema: node.schema ?? node,
        placement: 'body',
        mediaTypes: types,
        isJson: isJsonType(chosen) || chosen === '*/*' || isFormType(chosen),
        isRequired: isTrueOrTrueString(node.required),
        description: asText(node.description),
        example: readDocumentedExample(context, node),
      })
    }
    const form = parameters.filter((parameter) => parameter.placement === 'formData')
    return form.length === 0 ? undefined : { body: toFormBody(form, mediaTypes), parameters: [] }
  }
  return { readContent, readSwagger }

  function readParts(source: BodySource): BodyParts {
    const { schema, placement, mediaTypes, isRequired } = source
    const target = schemas.resolve(schema)
    const whole = isObject(source.example) ? source.example : undefined
    const known = whole ? undefined : flattened[placement].get(target)
    const canFlatten = source.isJson || placement === 'formData'
    if (!canFlatten || !(known || schemas.summarise(target).type === 'object')) {
      const body = { mediaTypes, isRequired, isFlattened: false, allowsAdditional: false }
      return { body, parameters: [toWholeBodyParameter(schemas, source)] }
    }
    const { parameters, allowsAdditional } = known ?? flatten(target, placement, whole)
    return { body: { mediaTypes, isRequired, isFlattened: true, allowsAdditional }, parameters }
  }

  function flatten(target: unknown, placement: Placement, whole?: JsonObject): Flattened {
    const { properties, required, allowsAdditional } = schemas.viewObject(target)
    const examples = whole ?? asObject(findExample(schemas.summarise(target)))
    const parameters: Parameter[] = []
    for (const [name, property] of properties) {
      const isRequired = required.has(name)
      const example = getOwnMember(examples, name)
      const parameter = toPropertyParameter({ name, property, placement, isRequired, example })
      if (parameter) parameters.push(parameter)
    }
    const result = { parameters, allowsAdditional }
    if (!whole) flattened[placement].set(target, result)
    return result
  }

  /**
   * Reuses the parameter of an inherited property: its schemas are the same object in each heir.
   */
  function toPropertyParameter(input: PropertySource): Parameter | undefined {
    const { name, property, placement, isRequired, example } = input
    const known = example === undefined ? properties.get(property) : undefined
    const isSame =
      known?.name === name && known.placement === placement && known.isRequired === isRequired
    if (known && isSame) return known
    const summary = schemas.summarise(property)
    if (findAnnotation(summary, 'readOnly') === true) return undefined
    const shown = findExample(summary) ?? example
    const parameter: Parameter = {
      name,
      placement,
      isRequired,
      type: toType(summary, placement),
      format: summary.format,
      description:
        asText(findAnnotation(summary, 'description')) || asText(findAnnotation(summary, 'title')),
      defaultValue: toWireText(findAnnotation(summary, 'default')),
      exampleValue: toWireText(shown ?? undefined),
      ...readConstraints(summary, schemas, placement),
      ...DEFAULT_SERIALISATION,
      isDeprecated: findAnnotation(summary, 'deprecated') === true,
    }
    if (example === undefined) properties.set(property, parameter)
    return parameter
  }
}

function toWholeBodyParameter(schemas: SchemaReader, source: BodySource): Parameter {
  const { schema, placement, isRequired, mediaTypes } = source
  const summary = schemas.summarise(schema)
  const example = source.example ?? findExample(summary)
  return {
    name: 'body',
    placement,
    isRequired,
    type: summary.type,
    format: summary.format,
    description: source.description || asText(findAnnotation(summary, 'description')),
    defaultValue: toWireText(findAnnotation(summary, 'default')),
    exampleValue: toWireText(example ?? undefined),
    ...readConstraints(summary, schemas, placement),
    ...DEFAULT_SERIALISATION,
    contentType: chooseMediaType(mediaTypes) || undefined,
  }
}

/** Describes the body of Swagger 2.0 that consists of form parameters. */
function toFormBody(form: readonly Parameter[], mediaTypes: readonly string[]): RequestBody {
  const hasFile = form.some((parameter) => parameter.type === 'file')
  const forms = mediaTypes.filter(isFormType)
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  return {
    mediaTypes: forms.length > 0 ? forms : [usual],
    isRequired: form.some((parameter) => parameter.isRequired),
    isFlattened: true,
    allowsAdditional: false,
  }
}

/** Converts `itemSchema` of OpenAPI 3.2 to the schema of the whole sequence. */
export function toSequenceSchema(itemSchema: unknown): unknown {
  return itemSchema === undefined ? undefined : { type: 'array', items: itemSchema }
}

/** Applies an OpenAPI 3 `encoding`, which sets the serialisation of one form property. */
function applyEncoding(parameter: Parameter, encodings: JsonObject): Parameter {
  const encoding = asObject(getOwnMember(encodings, parameter.name))
  const { explode } = encoding
  return {
    ...parameter,
    style: asText(encoding.style) || undefined,
    explode: typeof explode === 'boolean' ? explode : undefined,
    allowReserved: encoding.allowReserved === true,
    contentType: asText(encoding.contentType) || undefined,
  }
}

interface Flattened {
  readonly parameters: readonly Parameter[]
  readonly allowsAdditional: boolean
}

interface PropertySource {
  readonly name: string
  readonly property: unknown
  readonly placement: Placement
  readonly isRequired: boolean
  readonly example: unknown
}

interface BodySource {
  readonly schema: unknown
  readonly placement: Placement
  readonly mediaTypes: readonly string[]
  readonly isJson: boolean
  readonly isRequired: boolean
  readonly description: string
  readonly example: unknown
}

const DEFAULT_SERIALISATION = {
  style: undefined,
  explode: undefined,
  collectionFormat: undefined,
  allowReserved: false,
  isDeprecated: false,
  contentType: undefined,
}
