import type { CveRecord } from './records.ts'

/**
 * Lists the IDs under which other databases publish a vulnerability, in the order of the references
 * that contain them: GitHub's (`GHSA-jfh8-c2jp-5v3q`) and the EU's (`EUVD-2021-44228`).
 *
 * @example
 * ```ts
 * import { listAliases } from 'api-discovery/vulnerabilities'
 *
 * const url = 'https://github.com/advisories/GHSA-jfh8-c2jp-5v3q'
 * listAliases({ references: [{ url, source: 'GitHub_M', tags: [] }] }) // ['GHSA-jfh8-c2jp-5v3q']
 * ```
 */
export function listAliases({ references }: Pick<CveRecord, 'references'>): readonly string[] {
  const found = references.flatMap(({ url }) => {
    // Most URLs contain none.
    if (!/ghsa-|euvd-/i.test(url)) return []
    return [...url.matchAll(ALIAS)].map(([id]) => toAlias(id))
  })
  return found.length === 0 ? found : [...new Set(found)]
}

/** Spells an ID that matches `ALIAS` as its database does. */
export function toAlias(id: string): string {
  return id.slice(0, 4).toUpperCase() + id.slice(4).toLowerCase()
}

/** An ID of another database; not part of a longer name. */
export const ALIAS =
  /(?<![\p{L}\p{N}][-_.]?|_)(?:GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}|EUVD-\d{4}-\d{1,9})(?![-_.]?[\p{L}\p{N}]|_)/giu
