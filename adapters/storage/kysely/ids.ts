/** Reference of a client to an API or endpoint: by number or by text. */
export type IdLookup =
  | { readonly by: 'number'; readonly value: number }
  | { readonly by: 'text'; readonly value: string }

/** Parses an ID as a number or a text; returns undefined for invalid IDs. */
export function parseId(id: string): IdLookup | undefined {
  if (/^\d{1,15}$/.test(id)) return { by: 'number', value: Number(id) }
  return /^[\w-]{1,64}$/.test(id) ? { by: 'text', value: id } : undefined
}
