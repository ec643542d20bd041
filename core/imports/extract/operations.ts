import { getRef } from '../../schemas/refs.ts'
import { asObject, isObject, type JsonObject, toPointerStep } from '../../schemas/values.ts'
import type { ExtractionContext } from './context.ts'

/** An operation as written in the description. */
export interface FoundOperation {
  /** Lower case. */
  readonly method: string
  /** Path template, a webhook's name, or a callback's URL expression. */
  readonly path: string
  readonly item: JsonObject
  /** Pointer of the path item. */
  readonly itemPointer: string
  /** The operation object, or any other value found in its place. */
  readonly operation: unknown
  readonly pointer: string
  /**
   * Empty for outbound operations; else a prefix that makes an inbound operation's key distinct.
   */
  readonly inbound: string
}

/** Compared in lower case, as most descriptions write them. */
const METHODS = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
])

/** Returns all operations of all path items, in order. */
export function* findOperations(context: ExtractionContext): Iterable<FoundOperation> {
  const { paths } = context.document
  if (paths !== undefined && paths !== null && !isObject(paths)) {
    context.warn('/paths', 'Not an object; no operations were imported')
  }
  for (const [path, item] of Object.entries(asObject(paths))) {
    if (path.startsWith('x-')) continue
    const pointer = `/paths${toPointerStep(path)}`
    yield* findInPathItem(context, { path, item, pointer, inbound: '' })
  }
}

/** Returns all webhooks (3.1, and `x-webhooks` before). */
export function* findWebhooks(context: ExtractionContext): Iterable<FoundOperation> {
  for (const key of ['webhooks', 'x-webhooks']) {
    for (const [name, item] of Object.entries(asObject(context.document[key]))) {
      const pointer = `/${key}${toPointerStep(name)}`
      yield* findInPathItem(context, { path: name, item, pointer, inbound: 'webhook' })
    }
  }
}

/** Returns the callbacks of one operation. */
export function* findCallbacks(
  context: ExtractionContext,
  owner: FoundOperation,
  key: string,
): Iterable<FoundOperation> {
  if (!isObject(owner.operation)) return
  for (const [name, callback] of Object.entries(asObject(owner.operation.callbacks))) {
    const at = `${owner.pointer}/callbacks${toPointerStep(name)}`
    const located = context.resolve(callback, () => at)
    for (const [expression, item] of Object.entries(located?.node ?? {})) {
      if (expression.startsWith('x-')) continue
      const pointer = `${located?.pointer ?? at}${toPointerStep(expression)}`
      const inbound = `callback ${key} ${name}`
      yield* findInPathItem(context, { path: expression, item, pointer, inbound })
    }
  }
}

function* findInPathItem(
  context: ExtractionContext,
  input: {
    readonly path: string
    readonly item: unknown
    readonly pointer: string
    readonly inbound: string
  },
): Iterable<FoundOperation> {
  const { path, inbound } = input
  if (input.item === null || input.item === undefined) return
  if (!isObject(input.item)) return context.warn(input.pointer, 'Not a path item; skipped')
  const located = resolvePathItem(context, input.item, input.pointer)
  const { node: item, pointer: itemPointer } = located
  for (const key of Object.keys(item)) {
    const method = key.toLowerCase()
    if (!METHODS.has(method)) continue
    const pointer = `${itemPointer}/${key}`
    yield { method, path, item, itemPointer, operation: item[key], pointer, inbound }
  }
  for (const [name, operation] of Object.entries(asObject(item.additionalOperations))) {
    const pointer = `${itemPointer}/additionalOperations${toPointerStep(name)}`
    const method = name.toLowerCase()
    yield { method, path, item, itemPointer, operation, pointer, inbound }
  }
}

/** Resolves a path item's `$ref`; the item's own members override those of the target. */
function resolvePathItem(context: ExtractionContext, item: JsonObject, pointer: string) {
  if (getRef(item) === undefined) return { node: item, pointer }
  const located = context.resolve(item, () => pointer)
  const { $ref: _, ...own } = item
  if (!located) return { node: own, pointer }
  if (Object.keys(own).length === 0) return located
  return { node: { ...located.node, ...own }, pointer: located.pointer }
}
