import { getOwnMember, type JsonObject } from './values.ts'

/** Returns the `$ref` of an object; undefined without one (a property may also be named `$ref`). */
export function getRef(node: JsonObject): string | undefined {
  const ref = node.$ref
  return typeof ref === 'string' ? ref : undefined
}

/** Converts a local reference to a JSON pointer: `#/a%20b` to `/a b`. */
export function refToPointer(ref: string): string {
  const fragment = ref.slice(1)
  if (!fragment.includes('%')) return fragment
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Returns the value at a JSON pointer; undefined if missing. */
export function findByPointer(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  if (!pointer.startsWith('/')) return undefined
  let node = document
  for (const step of pointer.slice(1).split('/')) {
    node = getOwnMember(node, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (node === undefined) return undefined
  }
  return node
}
