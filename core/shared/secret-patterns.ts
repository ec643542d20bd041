/**
 * Source of a case-sensitive pattern for secrets recognisable by their format: keys with a vendor's
 * prefix, and signed tokens.
 */
export const SECRET_PATTERN_SOURCE =
  /[sr]k_(?:live|test)_\w{8,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,600}\.[\w-]{8,}\.[\w-]*/
    .source

/**
 * Returns whether a text contains a recognisable secret: a prefixed key, a signed token or a bearer
 * token.
 */
export function containsSecret(text: string): boolean {
  return MARKED.test(text) || BEARER.test(text)
}

const MARKED = new RegExp(`(?<![A-Za-z0-9_])(?:${SECRET_PATTERN_SOURCE})`)

const BEARER =
  /(?<!\w)(?:bearer|basic)\s{1,8}(?:(?=[a-z+/.~-]{0,40}\d)[\w+/.~-]{8,}|[\w+/.~-]{20,})/i
