import { isInComment } from '../model/comments.ts'
import type { SourceFile } from '../model/finding.ts'
import type { PackageFinding } from '../model/packages.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { TextReader } from '../model/text-reader.ts'
import { toCanonicalPackageUrl } from '../packages/package-urls.ts'
import { MANIFEST_FORMATS } from './formats.ts'
import { findLowestVersion } from './lowest-version.ts'
import type { PackagePattern } from './pattern.ts'

/** Finds vendors' libraries among the packages that manifests name. */
export const manifestReader: TextReader = {
  fits: (path) => findPatterns(path) !== undefined,
  read(file, { findDependency }) {
    const { path, text } = file
    const patterns = findPatterns(path) ?? []
    const placeOf = createPlaceFinder(text)
    return patterns
      .flatMap((pattern) => findPackages(file, pattern))
      .toSorted((a, b) => a.index - b.index)
      .flatMap(({ name, lowest, index, role, request, ...rest }): readonly PackageFinding[] => {
        const isAlias = name === rest.alias
        const usage = isAlias
          ? { url: name, package: undefined, isGuess: undefined }
          : findDependency?.(name)
        if (!usage) return []
        // A provider's type alone is ambiguous.
        const isType = /^pkg:terraform\/[^/]+$/.test(name)
        const isPackage = !name.startsWith('pkg:service/')
        return [
          {
            file: path,
            ...placeOf(index),
            url: usage.url + (request?.path ?? ''),
            method: request?.method,
            via: request ? 'call' : 'manifest',
            confidence: usage.isGuess ? 0.6 : 0.9,
            package: isType || isAlias ? usage.package : isPackage ? name : undefined,
            ...(lowest !== undefined && !isType && { lowestPackage: lowest }),
            ...(role && { dependencyRole: role }),
            ...rest,
          },
        ]
      })
  },
}

const FORMATS = MANIFEST_FORMATS.map(
  ([paths, ...patterns]) => ({ fits: matchPaths(paths), patterns }) as const,
)

function findPatterns(path: string): readonly PackagePattern[] | undefined {
  return FORMATS.find(({ fits }) => fits.test(path))?.patterns
}

/** A package URL, with the version if the manifest fixes it, and its index in the text. */
interface NamedPackage {
  readonly name: string
  /** With the lowest version that the manifest permits, if it fixes none. */
  readonly lowest?: string | undefined
  readonly index: number
  readonly needsDependency: PackageFinding['needsDependency']
  /** Undefined if the match is no call. */
  readonly request?: { readonly path: string; readonly method: string } | undefined
  /** As `PackageFinding.alias`. */
  readonly alias: string | undefined
  readonly role: PackageFinding['dependencyRole']
}

function findPackages(file: SourceFile, pattern: PackagePattern): readonly NamedPackage[] {
  const { text } = file
  const { type, names, calls, isOnce, needsDependency } = pattern
  const seen = new Set<string>()
  const development = pattern.development ? sectionsOf(text, pattern.development) : []
  return sectionsOf(text, pattern.sections).flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(pattern.name)].flatMap((match): readonly NamedPackage[] => {
      const { group, name = '', version = '', range = version } = match.groups ?? {}
      const known = names ? names[name] : name
      const [written] = match
      const index = start + match.index + written.length - written.trimStart().length
      if (known === undefined || (isOnce && seen.has(written)) || isInComment(file, index, 'data'))
        return []
      seen.add(written)
      const isDevelopment = development.some((part) => index >= part.start && index < part.end)
      const isBuild = isDevelopment || type === 'gradle' || match.groups?.build !== undefined
      const role = match.groups?.test === undefined ? (isBuild ? 'build' : undefined) : 'test'
      if (type === 'alias') return [{ name, index, needsDependency, alias: name, role }]
      const path = group === undefined ? known : `${group}/${known}`
      const unversioned = toCanonicalPackageUrl(`pkg:${type}/${path}`)
      const fixed = FIXED.test(version) ? `@${version}` : ''
      const alias = findAlias(text, { index, type })
      const least = fixed === '' ? findLowestVersion(range) : undefined
      const lowest = least === undefined ? undefined : `${unversioned}@${least}`
      const { call } = match.groups ?? {}
      const request = calls && call !== undefined ? calls[call] : undefined
      return [{ name: unversioned + fixed, lowest, index, needsDependency, alias, role, request }]
    }),
  )
}

/** A version that is no range. */
const FIXED = /^(?=.{1,100}$)v?\d+(?:\.\d+)+(?:[-+.][\w.+-]+)?$/

/** The name of a dependency of Gradle in its build: `libs.plugins.a.b` for `a-b = { id = "…" }`. */
function findAlias(text: string, at: { index: number; type: string }): string | undefined {
  if (at.type !== 'maven' && at.type !== 'gradle') return undefined
  const before = text.slice(Math.max(0, at.index - MAX_INDENT), at.index)
  const [, name] = ALIAS.exec(before.slice(before.lastIndexOf('\n') + 1)) ?? []
  return name && (at.type === 'gradle' ? 'plugins.' : '') + name.replaceAll(/[-_]/g, '.')
}

/** `const val name = "`, `val name by lazy { "`, `name = { module = "`. */
const ALIAS =
  /^[ \t]*(?:(?:const |internal )*va[lr] |def )?([\w-]+)[ \t]*(?::[ \t]*String[ \t]*)?(?:=|by lazy \{)/

/** Returns the sections between starts and ends, of which none contains another. */
function sectionsOf(
  text: string,
  sections: PackagePattern['sections'],
): readonly { readonly start: number; readonly end: number }[] {
  if (!sections) return [{ start: 0, end: text.length }]
  const [from, to] = sections
  const found: { start: number; end: number }[] = []
  for (const match of text.matchAll(from)) {
    const start = match.index + match[0].length
    if (start < (found.at(-1)?.end ?? 0)) continue
    to.lastIndex = start
    found.push({ start, end: to.exec(text)?.index ?? text.length })
  }
  return found
}

/** Characters before a package that may begin a comment. */
const MAX_INDENT = 200
