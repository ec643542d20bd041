/** How an API or endpoint was named by a client: by number or by text. */
export type IdLookup =
  | { readonly by: 'number'; readonly value: number }
  | { readonly by: 'text'; readonly value: string }

/** Tells numeric ids from the others; undefined for what no id looks like. */
export function parseId(id: string): IdLookup | undefined {
  if (/^\d{1,15}$/.test(id)) return { by: 'number', value: Number(id) }
  return /^[\w-]{1,64}$/.test(id) ? { by: 'text', value: id } : undefined
}
