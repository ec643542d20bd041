import type { TaskReply } from './protocol.ts'

type ResultChunk = Extract<TaskReply, { readonly kind: 'part' }>

/** Splits long lists and maps of a result into parts, to be sent first. */
export function splitReply(reply: TaskReply): readonly TaskReply[] {
  if (reply.kind !== 'done' || typeof reply.value !== 'object' || reply.value === null)
    return [reply]
  const parts: TaskReply[] = []
  const rest: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(reply.value)) {
    const isLong = isCollection(value) && getSize(value) > CHUNK_ITEMS
    rest[member] = isLong ? (Array.isArray(value) ? [] : new Map()) : value
    if (!isLong) continue
    const items = [...value]
    for (let start = 0; start < items.length; start += CHUNK_ITEMS) {
      parts.push({ kind: 'part', member, items: items.slice(start, start + CHUNK_ITEMS) })
    }
  }
  return [...parts, { kind: 'done', value: rest }]
}

/** Joins the chunks of `splitReply` with the rest of the result. */
export function joinResultChunks(value: unknown, parts: readonly ResultChunk[]): unknown {
  for (const { member, items } of parts) {
    // The worker created it with `splitReply`.
    const target = (value as Record<string, unknown[] | Map<unknown, unknown>>)[member]
    if (Array.isArray(target)) for (const item of items) target.push(item)
    else for (const [key, item] of items as readonly [unknown, unknown][]) target?.set(key, item)
  }
  return value
}

/** Small enough to copy a part in a few milliseconds, even with large endpoints. */
const CHUNK_ITEMS = 25

function isCollection(value: unknown): value is readonly unknown[] | ReadonlyMap<unknown, unknown> {
  return Array.isArray(value) || value instanceof Map
}

function getSize(value: readonly unknown[] | ReadonlyMap<unknown, unknown>): number {
  return 'length' in value ? value.length : value.size
}
