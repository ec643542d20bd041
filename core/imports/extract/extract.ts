import type { AuthType } from '../../catalogue/auth-types.ts'
import type {
  ApiDescription,
  EndpointDescription,
  ImportedAgreement,
} from '../../catalogue/records.ts'
import { ServiceError } from '../../http/problems.ts'
import { isObject, toList, toObject, toText } from '../../schemas/values.ts'
import { DEFAULT_IMPORT_LIMITS, type ImportLimits } from '../limits.ts'
import type { Description, ImportWarning } from '../read.ts'
import { refusal } from '../refusals.ts'
import { toAgreements } from './agreements.ts'
import { toApiDescription, toProvider } from './api.ts'
import { createBounds } from './bounds.ts'
import { createBudget } from './budget.ts'
import { createContext } from './context.ts'
import { createEndpointReader } from './endpoints.ts'
import { type FoundOperation, findCallbacks, findOperations, findWebhooks } from './operations.ts'
import { collectComponents } from './responses.ts'
import { sortAuthTypes } from './security.ts'

/** What the catalogue keeps of a description. Plain data: it can be sent between threads. */
export interface ExtractedDescription {
  readonly api: ApiDescription
  readonly endpoints: readonly EndpointDescription[]
  /** JSON text by JSON pointer (without `#`) of everything that response schemas refer to. */
  readonly components: ReadonlyMap<string, string>
  readonly agreements: readonly ImportedAgreement[]
  /** Who offers the API, where the description says so; for imports that name no vendor. */
  readonly provider: { readonly name: string; readonly categories: readonly string[] }
  readonly report: ExtractionReport
}

/** Counts of an extraction; part of the answer of an import (contract 4.6). */
export interface ExtractionReport {
  /** Operations of all path items, also skipped ones. */
  readonly operations: number
  /** Operations of webhooks: called by the vendor. */
  readonly webhooks: number
  /** Operations of callbacks, the same. */
  readonly callbacks: number
  /** Parameters of all imported endpoints. */
  readonly parameters: number
  /** Operations, webhooks and callbacks that could not be understood. */
  readonly skipped: number
  /** At most `maxWarnings`, the last of which tells how many more there were. */
  readonly warnings: readonly ImportWarning[]
}

export interface ExtractOptions {
  /** Absolute URL that relative servers resolve against; without it they stay relative. */
  readonly baseUrl?: string | undefined
  readonly limits?: Partial<ImportLimits> | undefined
}

/**
 * Takes from a description what the catalogue keeps: Swagger 2.0, OpenAPI 3.0 to 3.2. What cannot
 * be understood is left out with a warning and the rest is taken. References are followed within
 * the document only, lazily and without ever building a cycle. Throws `too_expensive`.
 */
export function extractDescription(
  description: Description,
  options: ExtractOptions = {},
): ExtractedDescription {
  const limits = { ...DEFAULT_IMPORT_LIMITS, ...options.limits }
  const { document, kind } = description
  const context = createContext({ document, kind, limits })
  for (const { pointer, message } of description.warnings) context.warn(pointer, message)
  const reader = createEndpointReader(context, options.baseUrl)
  const charge = createBudget({ sourceSize: description.size, maxKept: limits.maxKept })
  const bounds = createBounds(context)
  const byKey = new Map<string, EndpointDescription>()
  const tags = new Set(toList(document.tags).map((tag) => toText(toObject(tag).name)))
  const authTypes = new Set<AuthType>()
  const counts = { operations: 0, webhooks: 0, callbacks: 0, parameters: 0, skipped: 0 }

  const take = (found: FoundOperation): string | undefined => {
    if (counts.operations + counts.webhooks + counts.callbacks > limits.maxOperations) {
      throw refusal(
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
    const key = toFreeKey(endpoint, byKey)
    if (key === undefined) {
      counts.skipped += 1
      context.warn(found.pointer, 'stands in the description twice: left out')
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
      context.warn(found.pointer, 'is no operation: left out')
      return undefined
    }
    if (!METHOD.test(found.method)) {
      context.warn(found.pointer, 'is no HTTP method: left out')
      return undefined
    }
    try {
      return reader.read(found)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      context.warn(found.pointer, 'cannot be understood: left out')
      return undefined
    }
  }

  for (const found of findOperations(context)) {
    counts.operations += 1
    const key = take(found)
    if (key === undefined) continue
    for (const callback of findCallbacks(context, found, key)) {
      counts.callbacks += 1
      take(callback)
    }
  }
  for (const found of findWebhooks(context)) {
    counts.webhooks += 1
    take(found)
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
  const agreements = toAgreements(context, options.baseUrl)
  const hidden = context.warningCount() - context.warnings.length
  const more = { pointer: '', message: `${hidden} more warnings are not shown` }
  const warnings = hidden > 0 ? [...context.warnings, more] : context.warnings
  return {
    api,
    endpoints: [...byKey.values()],
    components,
    agreements,
    provider: toProvider(context),
    report: { ...counts, warnings },
  }
}

/** A token (RFC 9110 5.6.2). */
const METHOD = /^[!#$%&'*+.^_`|~0-9a-z-]{1,40}$/

/**
 * The first of several templates that differ in parameter names alone gets the key; the others
 * retain their names. Undefined for a method and path that occurred before, such as `GET` beside `get`.
 */
function toFreeKey(
  endpoint: EndpointDescription,
  taken: ReadonlyMap<string, EndpointDescription>,
): string | undefined {
  const holder = taken.get(endpoint.key)
  if (!holder) return endpoint.key
  const named = `${endpoint.method} ${endpoint.path}`
  const isTwice = endpoint.isInbound || holder.path === endpoint.path || taken.has(named)
  return isTwice ? undefined : named
}
