/**
 * Returns the lowest version that a range of a manifest permits: `8.1.0` for `^8.1.0`, `~> 8.1.0`,
 * `>=8.1.0 <9` and `[8.1.0,9)`. Returns undefined for a range without an inclusive lower bound, such
 * as `<9`, `>8` or `*`.
 */
export function findLowestVersion(range: string): string | undefined {
  if (range.length > MAX_LENGTH) return undefined
  const lowest = range.split('||').map((part) => LOWER_BOUND.exec(part)?.groups?.version)
  return lowest.reduce((least, version) =>
    least === undefined || version === undefined
      ? undefined
      : compareNumbers(least, version) <= 0
        ? least
        : version,
  )
}

const MAX_LENGTH = 200

/** A version at the start, after an operator that includes it, or before `.x` or `.*`. */
const LOWER_BOUND =
  /^\s*(?:\^|~>|~=|~|>=|={1,3}|\[)?\s*v?(?<version>\d+(?:\.\d+)*(?:[-.]?[a-z]+[\w.-]*)??)(?:\+[\w.-]+)?(?:\.[x*])*(?=$|[\s,\])@])/i

function compareNumbers(a: string, b: string): number {
  const left = a.split(/\D+/)
  const right = b.split(/\D+/)
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = Number(left[index] ?? 0) - Number(right[index] ?? 0)
    if (order !== 0) return order
  }
  return 0
}
