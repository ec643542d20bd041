import type { TaskReply } from './protocol.ts'

type Part = Extract<TaskReply, { readonly kind: 'part' }>

/** Splits long lists and maps of a result into parts, to be sent first. */
export function toParts(reply: TaskReply): readonly TaskReply[] {
  if (reply.kind !== 'done' || typeof reply.value !== 'object' || reply.value === null)
    return [reply]
  const parts: TaskReply[] = []
  const rest: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(reply.value)) {
    const isLong = isCollection(value) && toSize(value) > PART_ITEMS
    rest[member] = isLong ? (Array.isArray(value) ? [] : new Map()) : value
    if (!isLong) continue
    const items = [...value]
    for (let start = 0; start < items.length; start += PART_ITEMS) {
      parts.push({ kind: 'part', member, items: items.slice(start, start + PART_ITEMS) })
    }
  }
  return [...parts, { kind: 'done', value: rest }]
}

/** Reverses `toParts`. */
export function joinParts(value: unknown, parts: readonly Part[]): unknown {
  for (const { member, items } of parts) {
    // Created by `toParts` in the worker.
    const target = (value as Record<string, unknown[] | Map<unknown, unknown>>)[member]
    if (Array.isArray(target)) for (const item of items) target.push(item)
    else for (const [key, item] of items as readonly [unknown, unknown][]) target?.set(key, item)
  }
  return value
}

/** Small enough to copy a part in a few milliseconds, even with large endpoints. */
const PART_ITEMS = 25

function isCollection(value: unknown): value is readonly unknown[] | ReadonlyMap<unknown, unknown> {
  return Array.isArray(value) || value instanceof Map
}

function toSize(value: readonly unknown[] | ReadonlyMap<unknown, unknown>): number {
  return 'length' in value ? value.length : value.size
}
