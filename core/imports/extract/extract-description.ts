import type { AuthType } from '../../catalogue/auth-types.ts'
import type {
  ApiDescription,
  EndpointDescription,
  ImportedAgreement,
} from '../../catalogue/records.ts'
import { ServiceError } from '../../errors.ts'
import { asList, asObject, asText, isObject } from '../../schemas/values.ts'
import { createImportError } from '../import-errors.ts'
import { DEFAULT_IMPORT_LIMITS, type ImportLimits } from '../limits.ts'
import type { Description, ImportWarning } from '../read-description.ts'
import { extractAgreements } from './agreements.ts'
import { readProvider, toApiDescription } from './api.ts'
import { createBounds } from './bounds.ts'
import { createSizeBudget } from './budget.ts'
import { createExtractionContext } from './context.ts'
import { createEndpointReader } from './endpoints.ts'
import { type FoundOperation, findCallbacks, findOperations, findWebhooks } from './operations.ts'
import { collectComponents } from './responses.ts'
import { sortAuthTypes } from './security.ts'

/** The stored data of a description. Plain data, so it can be sent between threads. */
export interface ExtractedDescription {
  readonly api: ApiDescription
  readonly endpoints: readonly EndpointDescription[]
  /** JSON text of everything that response schemas refer to, by JSON pointer (without `#`). */
  readonly components: ReadonlyMap<string, string>
  readonly agreements: readonly ImportedAgreement[]
  /** The declared provider; used if the import request names no vendor. */
  readonly provider: { readonly name: string; readonly categories: readonly string[] }
  readonly report: ExtractionReport
}

/** Counts of an extraction; part of the import response (contract 4.6). */
export interface ExtractionReport {
  /** Operations of all path items, including skipped ones. */
  readonly operations: number
  /** Operations of webhooks, which the vendor calls. */
  readonly webhooks: number
  /** Operations of callbacks, which the vendor calls. */
  readonly callbacks: number
  /** Parameters of all imported endpoints. */
  readonly parameters: number
  /** Operations, webhooks and callbacks that could not be interpreted. */
  readonly skipped: number
  /** At most `maxWarnings`, plus one that counts the rest. */
  readonly warnings: readonly ImportWarning[]
}

export interface ExtractOptions {
  /** Absolute URL to resolve relative servers against; without it they stay relative. */
  readonly baseUrl?: string | undefined
  readonly limits?: Partial<ImportLimits> | undefined
}

/**
 * Extracts the data for the catalogue from Swagger 2.0, OpenAPI 3.0 to 3.2 and cards. Skips
 * uninterpretable parts with a warning. Resolves references lazily and within the document only,
 * without building cycles. Throws `too_expensive`.
 */
export function extractDescription(
  description: Description,
  options: ExtractOptions = {},
): ExtractedDescription {
  const limits = { ...DEFAULT_IMPORT_LIMITS, ...options.limits }
  const { document, kind } = description
  const context = createExtractionContext({ document, kind, limits })
  for (const { pointer, message } of description.warnings) context.warn(pointer, message)
  const reader = createEndpointReader(context, options.baseUrl)
  const charge = createSizeBudget({
    sourceSize: description.size,
    maxKept: limits.maxStoredCharacters,
  })
  const bounds = createBounds(context)
  const byKey = new Map<string, EndpointDescription>()
  const tags = new Set(asList(document.tags).map((tag) => asText(asObject(tag).name)))
  const authTypes = new Set<AuthType>()
  const { skipped } = description
  const counts = { operations: skipped, webhooks: 0, callbacks: 0, parameters: 0, skipped }

  const addOperation = (found: FoundOperation): string | undefined => {
    if (counts.operations + counts.webhooks + counts.callbacks > limits.maxOperations) {
      throw createImportError(
        'too_expensive',
        `Cannot import the description: more than ${limits.maxOperations} operations. Split it into several`,
      )
    }
    const whole = bounds.isPathWithin(found) ? readSafely(found) : undefined
    const endpoint = whole && bounds.cutEndpoint(whole, found.pointer)
    if (!endpoint) {
      counts.skipped += 1
      return undefined
    }
    const key = chooseKey(endpoint, byKey)
    if (key === undefined) {
      counts.skipped += 1
      context.warn(found.pointer, 'Duplicate operation; skipped')
      return undefined
    }
    byKey.set(key, key === endpoint.key ? endpoint : { ...endpoint, key })
    for (const tag of endpoint.tags) tags.add(tag)
    if (!endpoint.isInbound) for (const type of endpoint.authTypes) authTypes.add(type)
    counts.parameters += endpoint.parameters.length
    charge(endpoint)
    return key
  }
  const readSafely = (found: FoundOperation): EndpointDescription | undefined => {
    if (found.operation !== null && !isObject(found.operation)) {
      context.warn(found.pointer, 'Not an operation; skipped')
      return undefined
    }
    if (!METHOD_TOKEN.test(found.method)) {
      context.warn(found.pointer, 'Invalid HTTP method; skipped')
      return undefined
    }
    try {
      return reader.read(found)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      context.warn(found.pointer, 'Cannot interpret the operation; skipped')
      return undefined
    }
  }

  for (const found of findOperations(context)) {
    counts.operations += 1
    const key = addOperation(found)
    if (key === undefined) continue
    for (const callback of findCallbacks(context, found, key)) {
      counts.callbacks += 1
      addOperation(callback)
    }
  }
  for (const found of findWebhooks(context)) {
    counts.webhooks += 1
    addOperation(found)
  }
  tags.delete('')
  const components = collectComponents(context, {
    texts: reader.schemaTexts(),
    sourceSize: description.size,
  })
  const api = bounds.cutApi(
    toApiDescription(context, {
      servers: reader.servers,
      authTypes: authTypes.size > 0 ? sortAuthTypes(authTypes) : ['undeclared'],
      tags: [...tags],
    }),
  )
  const agreements = extractAgreements(context, options.baseUrl)
  const hidden = context.warningCount() - context.warnings.length
  const more = { pointer: '', message: `${hidden} more warnings are not listed` }
  const warnings = hidden > 0 ? [...context.warnings, more] : context.warnings
  return {
    api,
    endpoints: [...byKey.values()],
    components,
    agreements,
    provider: readProvider(context),
    report: { ...counts, warnings },
  }
}

/** An HTTP token (RFC 9110 5.6.2) in lower case. */
const METHOD_TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]{1,40}$/

/**
 * Returns the key of an endpoint. If templates differ only in parameter names, the first gets the
 * erased key, and the others retain their names. Undefined for a duplicate method and path, such as
 * `GET` and `get`.
 */
function chooseKey(
  endpoint: EndpointDescription,
  taken: ReadonlyMap<string, EndpointDescription>,
): string | undefined {
  const holder = taken.get(endpoint.key)
  if (!holder) return endpoint.key
  const named = `${endpoint.method} ${endpoint.path}`
  const isTwice = endpoint.isInbound || holder.path === endpoint.path || taken.has(named)
  return isTwice ? undefined : named
}
