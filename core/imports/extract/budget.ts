import type { EndpointDescription, Parameter } from '../../catalogue/records.ts'
import { refusal } from '../refusals.ts'

/**
 * Counts the characters that endpoints take when each is written out for itself. Parts that many
 * operations share (parameters, bodies, responses, servers, whole path items) are counted as often
 * as they are used: a few kilobytes can stand for gigabytes. Throws `too_expensive` for the
 * endpoint that takes more than is left.
 */
export function createBudget(limits: {
  /** Characters of the source. */
  readonly sourceSize: number
  readonly maxKept: number
}): (endpoint: EndpointDescription) => void {
  const allowed = Math.min(limits.maxKept, FREE + MAX_GROWTH * limits.sourceSize)
  const sizes = new Map<object, number>()
  let used = 0

  return (endpoint) => {
    used += toSize(endpoint)
    if (used <= allowed) return
    throw refusal(
      'too_expensive',
      `Cannot import the description: what its operations share takes more than ${allowed} characters written out for each`,
    )
  }

  function toSize(endpoint: EndpointDescription): number {
    const { parameters, response, servers, security, tags, responseFields, body } = endpoint
    let size = ENDPOINT_SIZE + endpoint.path.length + endpoint.key.length + endpoint.url.length
    size += endpoint.summary.length + endpoint.description.length + endpoint.operationId.length
    size += (response?.schema?.length ?? 0) + (response?.example?.length ?? 0)
    for (const parameter of parameters) size += sizeOf(parameter, toParameterSize)
    for (const part of [servers, security, tags, responseFields, endpoint.declaredStatuses]) {
      size += sizeOf(part, toJsonSize)
    }
    if (endpoint.rateLimits) size += sizeOf(endpoint.rateLimits, toJsonSize)
    return size + (body ? sizeOf(body.mediaTypes, toJsonSize) : 0)
  }

  function sizeOf<Part extends object>(part: Part, measure: (part: Part) => number): number {
    const known = sizes.get(part)
    if (known !== undefined) return known
    const size = measure(part)
    sizes.set(part, size)
    return size
  }
}

/** What any description may take, and how many times its own size: real ones take up to 3 times. */
const FREE = 1024 * 1024
const MAX_GROWTH = 16

/** About what the names of the members take. */
const ENDPOINT_SIZE = 300
const PARAMETER_SIZE = 200

/** About how many characters a parameter takes. */
export function toParameterSize(parameter: Parameter): number {
  const { name, description, defaultValue, exampleValue } = parameter
  let size = PARAMETER_SIZE + name.length + description.length
  size += (defaultValue?.length ?? 0) + (exampleValue?.length ?? 0)
  for (const value of parameter.enum) size += value.length
  for (const value of parameter.items?.enum ?? []) size += value.length
  return size
}

/** How many characters a value takes as JSON. */
export function toJsonSize(part: object): number {
  return JSON.stringify(part).length
}
