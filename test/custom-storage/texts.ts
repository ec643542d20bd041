import { ServiceError } from '../../core/errors.ts'
import { foldName, MAX_NAME_LENGTH } from '../../core/storage.ts'

/** Removes NUL and replaces lone surrogates in all texts of a value, as every storage must. */
export function clean<Value>(value: Value): Value {
  return cleanAny(value) as Value
}

function cleanAny(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(cleanAny)
  if (value instanceof Map) return new Map(cleanAny([...value]) as [unknown, unknown][])
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleanAny(inner)]))
}

/** Folds a name, also one with characters that no storage stores. */
export function fold(name: string): string {
  return clean(foldName(name))
}

/** Throws for a name that is too long to be indexed. */
export function rejectLongName(name: string): void {
  if (name.length <= MAX_NAME_LENGTH) return
  throw new ServiceError('invalid_input', `Cannot store a name of ${name.length} characters`)
}

/** Returns whether a time is in a range of UTC days. */
export function isWithinDays(
  at: number,
  range: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
): boolean {
  const day = new Date(at).toISOString().slice(0, 10)
  return day >= (range.startDate ?? day) && day <= (range.endDate ?? day)
}

/** Returns one page of a list. */
export function toPage<Item>(
  items: readonly Item[],
  { size, page }: { readonly size: number; readonly page: number },
) {
  return { items: items.slice((page - 1) * size, page * size), total: items.length }
}

/** Lists items in pages; later changes of the storage replace the array instead of changing it. */
export async function* toPages<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += 1000) yield items.slice(start, start + 1000)
}
