import type { ResponseShape } from '../../catalogue/records.ts'
import { refToPointer } from '../../schemas/refs.ts'
import {
  asObject,
  asTexts,
  getOwnMember,
  type JsonObject,
  toWireText,
} from '../../schemas/values.ts'
import { chooseMediaType } from '../../shared/media-types.ts'
import { MAX_NAME_LENGTH } from '../../shared/text.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import { toSequenceSchema } from './bodies.ts'
import type { ExtractionContext } from './context.ts'
import { readDocumentedExample } from './parameters.ts'
import { getOwnExample, type SchemaReader } from './schemas.ts'

/** The documented response of an operation. */
export interface ResponseParts {
  readonly response: ResponseShape | undefined
  readonly responseFields: readonly string[]
  readonly declaredStatuses: readonly string[]
}

/** Reads responses. One shared by reference, or with its path item, is read once. */
export interface ResponseReader {
  read(responses: unknown, produces: unknown, at: () => string): ResponseParts
  /** The JSON texts of all response schemas read so far. */
  schemaTexts(): Iterable<string>
}

/** Creates the reader of one description's responses. */
export function createResponseReader(
  context: ExtractionContext,
  schemas: SchemaReader,
): ResponseReader {
  /** Cached with the identity of Swagger's `produces`, which a candidate depends on. */
  const known = new Map<
    JsonObject,
    { readonly produces: unknown; readonly candidate: ResponseCandidate }
  >()
  const texts = new Set<string>()

  const read = (responses: unknown, produces: unknown, at: () => string): ResponseParts => {
    const all = asObject(responses)
    const declaredStatuses = Object.keys(all).filter((status) => !status.startsWith('x-'))
    const candidates: (readonly [string, ResponseCandidate])[] = []
    for (const status of sortStatuses(declaredStatuses)) {
      const located = context.resolve(all[status], () => `${at()}/${status}`)
      if (!located) continue
      const shared = known.get(located.node)
      const candidate =
        shared && shared.produces === produces
          ? shared.candidate
          : toCandidate(located.node, produces)
      known.set(located.node, { produces, candidate })
      candidates.push([status, candidate])
      if (candidate.example !== undefined) break
    }
    const best =
      candidates.find(([, { example }]) => example !== undefined) ??
      candidates.find(([, { schema }]) => schema !== undefined) ??
      candidates[0]
    if (!best) return { response: undefined, responseFields: [], declaredStatuses }
    const [status, { mediaType, example, schema, fields }] = best
    if (schema !== undefined) texts.add(schema)
    const response = { status, mediaType, example, schema }
    return { response, responseFields: fields, declaredStatuses }
  }
  return { read, schemaTexts: () => texts }

  function toCandidate(node: JsonObject, produces: unknown): ResponseCandidate {
    if (context.isSwagger) return toSwaggerCandidate(node, produces)
    const content = asObject(node.content)
    const mediaType = chooseMediaType(Object.keys(content))
    const media = context.resolve(getOwnMember(content, mediaType), () => '')?.node ?? {}
    const schema = media.schema ?? toSequenceSchema(media.itemSchema)
    return buildCandidate(mediaType, schema, readDocumentedExample(context, media))
  }

  function toSwaggerCandidate(node: JsonObject, produces: unknown): ResponseCandidate {
    const examples = asObject(node.examples)
    const named = chooseMediaType(Object.keys(examples))
    const mediaType = chooseMediaType(asTexts(produces)) || named
    const example = getOwnMember(examples, mediaType) ?? getOwnMember(examples, named)
    return buildCandidate(mediaType || 'application/json', node.schema, example)
  }

  function buildCandidate(
    mediaType: string,
    schema: unknown,
    documented: unknown,
  ): ResponseCandidate {
    if (schema === undefined || schema === null || typeof schema !== 'object') {
      return { mediaType, example: toWireText(documented), schema: undefined, fields: [] }
    }
    const example = documented ?? getOwnExample(schema) ?? getOwnExample(schemas.resolve(schema))
    return {
      mediaType,
      example: toWireText(example),
      schema: JSON.stringify(schema),
      fields: schemas.fieldNames(schema),
    }
  }
}

/**
 * Returns the JSON texts of all values that the given schema texts refer to, directly or
 * indirectly, by JSON pointer without `#`. Stops with a warning beyond twice the size of the
 * source, or `MAX_COMPONENTS`.
 */
export function collectComponents(
  context: ExtractionContext,
  input: { readonly texts: Iterable<string>; readonly sourceSize: number },
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const queue: string[] = []
  const seen = new Set<string>()
  let room = Math.min(2 * input.sourceSize + 65_536, MAX_COMPONENTS)
  const enqueue = (text: string) => {
    for (const ref of findLocalRefs(text)) {
      if (seen.has(ref)) continue
      seen.add(ref)
      queue.push(ref)
    }
  }
  for (const text of input.texts) enqueue(text)
  for (let pointer = queue.pop(); pointer !== undefined; pointer = queue.pop()) {
    const target = context.find(pointer)
    if (target === undefined) {
      context.warn(pointer, 'Referenced by a response, but not found in the description')
      continue
    }
    if (pointer.length > MAX_NAME_LENGTH) {
      context.warn(
        pointer.slice(0, MAX_NAME_LENGTH),
        'Pointer too long to store; not used in sample responses',
      )
      continue
    }
    const text = JSON.stringify(target)
    if (text.length > ENDPOINT_LIMITS.maxKept) {
      const reason = `more than ${ENDPOINT_LIMITS.maxKept} characters; not used in sample responses`
      context.warn(pointer, `Referenced by a response, but takes ${reason}`)
      continue
    }
    room -= text.length
    if (room < 0) {
      context.warn(
        pointer,
        'Response schemas are too large to store; sample responses are incomplete',
      )
      break
    }
    found.set(pointer, text)
    enqueue(text)
  }
  return found
}

/** Maximum total characters of one API. */
const MAX_COMPONENTS = 32 * 1024 * 1024

interface ResponseCandidate {
  readonly mediaType: string
  readonly example: string | undefined
  readonly schema: string | undefined
  readonly fields: readonly string[]
}

/**
 * Sorts statuses: 200, other 2xx, `2XX`, then `default`. Returns the others only if there are none
 * of these.
 */
function sortStatuses(statuses: readonly string[]): readonly string[] {
  const success = statuses.filter((status) => /^2(?:\d\d|xx)$/i.test(status))
  const order = (status: string) => (status === '200' ? 0 : /^\d+$/.test(status) ? 1 : 2)
  success.sort((left, right) => order(left) - order(right))
  if (statuses.includes('default')) success.push('default')
  return success.length > 0 ? success : statuses
}

function* findLocalRefs(json: string): Iterable<string> {
  const mark = '"$ref":"#'
  for (let at = json.indexOf(mark); at >= 0; at = json.indexOf(mark, at + mark.length)) {
    const end = json.indexOf('"', at + mark.length)
    if (end < 0) return
    yield refToPointer(json.slice(at + mark.length - 1, end))
  }
}
