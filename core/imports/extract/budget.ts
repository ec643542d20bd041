import type { EndpointDescription, Parameter } from '../../catalogue/records.ts'
import { createImportError } from '../import-errors.ts'

/**
 * Counts the characters of all endpoints. Parts that operations share (parameters, bodies,
 * responses, servers, whole path items) count each time they are used, as a few kilobytes can
 * expand to gigabytes. The returned function throws `too_expensive` for the endpoint that exceeds
 * the budget.
 */
export function createSizeBudget(limits: {
  /** Characters of the source. */
  readonly sourceSize: number
  readonly maxKept: number
}): (endpoint: EndpointDescription) => void {
  const allowed = Math.min(limits.maxKept, FREE_CHARACTERS + MAX_GROWTH * limits.sourceSize)
  const sizes = new Map<object, number>()
  let used = 0

  return (endpoint) => {
    used += measureEndpoint(endpoint)
    if (used <= allowed) return
    throw createImportError(
      'too_expensive',
      `Cannot import the description: its operations have more than ${allowed} characters in total. Parts that operations share count for each`,
    )
  }

  function measureEndpoint(endpoint: EndpointDescription): number {
    const { parameters, response, servers, security, tags, responseFields, body } = endpoint
    let size = ENDPOINT_SIZE + endpoint.path.length + endpoint.key.length + endpoint.url.length
    size += endpoint.summary.length + endpoint.description.length + endpoint.operationId.length
    size += (response?.schema?.length ?? 0) + (response?.example?.length ?? 0)
    for (const parameter of parameters) size += measureOnce(parameter, estimateParameterSize)
    for (const part of [servers, security, tags, responseFields, endpoint.declaredStatuses]) {
      size += measureOnce(part, measureJson)
    }
    if (endpoint.rateLimits) size += measureOnce(endpoint.rateLimits, measureJson)
    return size + (body ? measureOnce(body.mediaTypes, measureJson) : 0)
  }

  function measureOnce<Part extends object>(part: Part, measure: (part: Part) => number): number {
    const known = sizes.get(part)
    if (known !== undefined) return known
    const size = measure(part)
    sizes.set(part, size)
    return size
  }
}

/**
 * The size that every description may take, plus a multiple of its own; real ones take up to 3
 * times.
 */
const FREE_CHARACTERS = 1024 * 1024
const MAX_GROWTH = 16

/** Approximate size of the member names. */
const ENDPOINT_SIZE = 300
const PARAMETER_SIZE = 200

/** Estimates the number of characters of a parameter. */
export function estimateParameterSize(parameter: Parameter): number {
  const { name, description, defaultValue, exampleValue } = parameter
  let size = PARAMETER_SIZE + name.length + description.length
  size += (defaultValue?.length ?? 0) + (exampleValue?.length ?? 0)
  for (const value of parameter.enum) size += value.length
  for (const value of parameter.items?.enum ?? []) size += value.length
  return size
}

/** Counts the characters of a value as JSON. */
export function measureJson(part: object): number {
  return JSON.stringify(part).length
}
