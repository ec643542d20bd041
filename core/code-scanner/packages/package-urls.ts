import { type ImportingLanguage, PACKAGE_TYPES } from '../../vendors/package-rows.ts'

const FAMILIES: ReadonlyMap<string, ImportingLanguage> = new Map(
  Object.entries(PACKAGE_TYPES).flatMap(([family, types]) =>
    // The keys are those of the table.
    types.map((type) => [type, family as ImportingLanguage] as const),
  ),
)

/** Splits a package URL without a version; undefined for ecosystems that no language imports. */
export function parsePackageUrl(
  packageUrl: string,
): { readonly family: ImportingLanguage; readonly name: string } | undefined {
  const [, type = '', name = ''] = /^pkg:([a-z]+)\/(.*)$/.exec(packageUrl) ?? []
  const family = FAMILIES.get(type)
  return family && { family, name }
}

/** Removes the version: `pkg:npm/@acme/sdk` of `pkg:npm/@acme/sdk@1.2.0`. */
export function withoutVersion(packageUrl: string): string {
  return packageUrl.replace(/(?<=[^/])@[^@/]*$/, '')
}

/** The key of a package URL: lower case, without version; Go loses its major version, PyPI folds. */
export function toPackageKey(packageUrl: string): string {
  const bare = withoutVersion(packageUrl.replace(/[?#].*$/, ''))
    .replace('%40', '@')
    .toLowerCase()
  if (bare.startsWith('pkg:golang/')) return bare.replace(/\/v\d+$/, '')
  return toCanonicalPackageUrl(bare)
}

/**
 * Normalises the name of a PyPI package (PEP 503): `pkg:pypi/plaid-python@9.1` for
 * `pkg:pypi/Plaid_Python@9.1`.
 */
export function toCanonicalPackageUrl(packageUrl: string): string {
  if (!packageUrl.startsWith('pkg:pypi/')) return packageUrl
  return packageUrl.replace(/^pkg:pypi\/[^@?#]*/, (name) =>
    name.toLowerCase().replaceAll(/[-_.]+/g, '-'),
  )
}
