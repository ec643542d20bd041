import type { CveRatings } from './search/results.ts'

/**
 * Explains what the KEV and EPSS lists say of a CVE without a record; undefined if nothing.
 *
 * @example
 * ```ts
 * import { explainMissingRecord } from 'api-discovery/vulnerabilities'
 *
 * const ratings = await app.vulnerabilities.findRatings('CVE-2021-44228')
 * console.log(explainMissingRecord(ratings) ?? 'Nothing is known of it')
 * ```
 */
export function explainMissingRecord({ exploited, epss }: CveRatings): string | undefined {
  const facts = [
    ...(exploited ? [`CISA lists it as known exploited since ${exploited.addedOn}`] : []),
    ...(epss ? [`its EPSS is ${formatShare(epss.score)}`] : []),
  ]
  if (facts.length === 0) return undefined
  return `No record is loaded, but ${facts.join(', and ')}.`
}

/** Formats a share with two decimals. It is never rounded to 100 per cent. */
function formatShare(share: number): string {
  return `${Math.min(99.99, share * 100).toFixed(2)} %`
}
