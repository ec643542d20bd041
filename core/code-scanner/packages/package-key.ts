/** The key of a package URL: lower case, without version; Go loses its major version, PyPI folds. */
export function toPackageKey(packageUrl: string): string {
  const bare = packageUrl
    .replace(/[?#].*$/, '')
    .replace(/(?<=[^/])@[^@/]*$/, '')
    .replace('%40', '@')
    .toLowerCase()
  if (bare.startsWith('pkg:pypi/')) return bare.replaceAll(/[._]/g, '-')
  if (bare.startsWith('pkg:golang/')) return bare.replace(/\/v\d+$/, '')
  return bare
}
