import type { ImportingLanguage } from '../../vendors/package-rows.ts'

/** Types of package URLs, by the language whose imports name packages of that ecosystem. */
export const PACKAGE_TYPES: Readonly<Record<Exclude<ImportingLanguage, 'shell'>, string>> = {
  javascript: 'npm',
  python: 'pypi',
  go: 'golang',
  java: 'maven',
  ruby: 'gem',
  php: 'composer',
  'c-sharp': 'nuget',
  rust: 'cargo',
}

const FAMILIES: ReadonlyMap<string, keyof typeof PACKAGE_TYPES> = new Map(
  // The keys are those of the table.
  Object.entries(PACKAGE_TYPES).map(([family, type]) => [
    type,
    family as keyof typeof PACKAGE_TYPES,
  ]),
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
  if (bare.startsWith('pkg:pypi/')) return bare.replaceAll(/[._]/g, '-')
  if (bare.startsWith('pkg:golang/')) return bare.replace(/\/v\d+$/, '')
  return bare
}
