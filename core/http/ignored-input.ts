import type { GenericSchema } from 'valibot'
import type { Operation } from './operation.ts'
import { isForwarded } from './responses.ts'

/** A body can contain hundreds of thousands of names: the header lists only the first ones. */
const MAX_NAMES = 10

/** Collects names of a query or form that are no parameters of the operation. */
export function collectIgnoredParams(
  operation: Operation,
  names: Iterable<string>,
  ignored: Set<string>,
): void {
  // A forwarded call checks its values against the parameters of its endpoint.
  if (!isForwarded(operation)) collectUnknownNames(names, operation.params ?? {}, ignored)
}

/** Collects members of a JSON body that its schema drops. */
export function collectIgnoredMembers(
  schema: GenericSchema,
  value: object,
  ignored: Set<string>,
): void {
  if (schema.type !== 'object' || !('entries' in schema)) return
  collectUnknownNames(Object.keys(value), Object(schema.entries), ignored)
}

/** Lists ignored names in a response header, in printable ASCII. */
export function addIgnoredHeader(
  headers: Record<string, string>,
  ignored: ReadonlySet<string>,
): void {
  if (ignored.size === 0) return
  const names = [...ignored].map((name) => name.slice(0, 100).replace(/[^!-~]|,/g, '?'))
  headers['ignored-input'] = names.join(', ')
}

function collectUnknownNames(names: Iterable<string>, known: object, ignored: Set<string>): void {
  for (const name of names) {
    if (ignored.size === MAX_NAMES) return
    if (name !== '' && !Object.hasOwn(known, name)) ignored.add(name)
  }
}
