/** What is left of a text without all that spellings differ in. */
export interface Skeleton {
  /** Letters and digits of ASCII that are of no escape. */
  readonly text: string
  /** Where each of them stands. */
  readonly places: Uint32Array
}

/**
 * Escapes of URLs, of JSON and of XML, also of what was escaped before, and whatever may be escaped:
 * everything but letters and digits of ASCII.
 */
const VARIABLE =
  /%(?:25)*[0-9A-Fa-f]{2}|\\+(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})?|&(?:amp;)*(?:#\w{1,8}|[A-Za-z]{2,8});|[^A-Za-z0-9%\\&]+|[%&]/g

/** Texts that stand for the same one have the same skeleton, however they were escaped. */
export function toSkeleton(text: string): Skeleton {
  const places = new Uint32Array(text.length)
  let kept = ''
  let start = 0
  const keep = (end: number) => {
    for (let at = start; at < end; at += 1) places[kept.length + at - start] = at
    kept += text.slice(start, end)
  }
  for (const { 0: dropped, index } of text.matchAll(VARIABLE)) {
    keep(index)
    start = index + dropped.length
  }
  keep(text.length)
  return { text: kept, places }
}
