/** How a type of packages is written in manifests. */
export interface PackagePattern {
  /** Type of the package URLs; `alias` for names that other build files give to dependencies. */
  readonly type: string
  /**
   * Matches a package: `name`, and perhaps the `group` before it and the `version`; the groups
   * `build` and `test` match if only builds or tests need it.
   */
  readonly name: RegExp
  /** Starts and ends of the sections with packages; absent if they are anywhere. */
  readonly sections?: readonly [from: RegExp, to: RegExp]
  /** Starts and ends of the sections with packages that only the project's development needs. */
  readonly development?: readonly [from: RegExp, to: RegExp]
  /** Names of packages by the names in the text; others are ignored. */
  readonly names?: Readonly<Record<string, string>>
  /** Requests by the text of the group `call` in `name`; a match without that group is no call. */
  readonly calls?: Readonly<Record<string, { readonly path: string; readonly method: string }>>
  /** Whether only the first of equal matches counts. */
  readonly isOnce?: true
  /** As `PackageFinding.needsDependency`. */
  readonly needsDependency?: true
}

/** Patterns of packages by the paths of manifests; see `matchPaths`. */
export type ManifestFormat = readonly [paths: string, ...patterns: readonly PackagePattern[]]

/** Indexes names by their aliases: `name=alias,alias`. */
export function byAlias(
  rows: string,
  toName = (name: string, _alias: string) => name,
): Readonly<Record<string, string>> {
  const names: Record<string, string> = {}
  for (const [, name = '', aliases = ''] of rows.matchAll(/(\S+)=(\S+)/g)) {
    for (const alias of aliases.split(',')) names[alias] = toName(name, alias)
  }
  return names
}
