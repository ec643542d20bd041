import type { ImportingLanguage, PackageRow } from '../../vendors/package-rows.ts'
import { VENDOR_PACKAGES } from '../../vendors/packages.ts'
import type { LanguageFamily } from '../model/language.ts'
import type { ImportUsage, PackageUsage } from '../model/packages.ts'
import { parsePackageUrl, toCanonicalPackageUrl, toPackageKey } from './package-urls.ts'
import { listProviderPackages } from './providers.ts'
import {
  findByPrefix,
  indexQualifiedNames,
  type QualifiedPackage,
  type QualifiedUsage,
} from './qualified-names.ts'

/** Finds vendors' libraries by the names in manifests and code. */
export interface PackageTable {
  /** By package URL; version, qualifiers and case do not matter. */
  findDependency(packageUrl: string): PackageUsage | undefined
  /** By an imported module. */
  findPackage(usage: ImportUsage): PackageUsage | undefined
  /** By a qualified name in code without an import. */
  findQualified(usage: QualifiedUsage): QualifiedPackage | undefined
  /** Whether a text may use any of them; cheap, with false positives. */
  mayImport(source: { readonly family: LanguageFamily; readonly text: string }): boolean
}

/**
 * Creates a table of libraries. If several rows name the same package, the first wins.
 *
 * @example
 * ```ts
 * import { createPackageTable } from 'api-discovery/scans'
 *
 * const { findDependency } = createPackageTable()
 * findDependency('pkg:npm/stripe@18.0.0')?.url // 'https://api.stripe.com'
 * ```
 */
export function createPackageTable(rows: readonly PackageRow[] = VENDOR_PACKAGES): PackageTable {
  const { dependencies, imports, gems } = indexRows(rows)
  const namespaces = listNamespaces(imports.exact.keys())
  const { findQualified, mayUse } = indexQualifiedNames(imports.exact, gems)
  const findPackage = ({ family, module, imported }: ImportUsage): PackageUsage | undefined => {
    const name = `${family}:${toImportKey({ family, module })}`
    const whole =
      imported === undefined || imported === '*' || imported === '' ? name : `${name}.${imported}`
    return findByPrefix(whole, (prefix) => imports.exact.get(prefix)) ?? imports.findOpen(whole)
  }
  return {
    findPackage,
    findQualified,
    findDependency(packageUrl) {
      const key = toPackageKey(packageUrl)
      const provider = isProvider(key) ? dependencies.exact.get(toProviderKey(key)) : undefined
      return dependencies.exact.get(key) ?? provider ?? dependencies.findOpen(key)
    },
    mayImport({ family, text }) {
      if (family === 'other') return false
      const pattern = IMPORTS[family] ?? IMPORT
      for (const [, ...modules] of text.matchAll(pattern)) {
        const module = modules.find((group) => group !== undefined)
        if (module === undefined) continue
        if (namespaces.has(`${family}:${toModuleKey(module)}`)) return true
        if (findPackage({ family, module })) return true
      }
      return mayUse({ family, text })
    },
  }
}

/** Libraries by name. If several have the same name, the first wins. */
class NameIndex {
  readonly exact = new Map<string, PackageUsage>()
  readonly #open: { readonly prefix: string; readonly usage: PackageUsage }[] = []

  /** Adds a name; one that ends in `*` matches all names with that prefix. */
  add(name: string, usage: PackageUsage): void {
    if (name.endsWith('*')) this.#open.push({ prefix: name.slice(0, -1), usage })
    else if (!this.exact.has(name)) this.exact.set(name, usage)
  }

  /** Finds the first prefix; the package name ends with the next part of the name. */
  findOpen(name: string): PackageUsage | undefined {
    const found = this.#open.find(({ prefix }) => name.startsWith(prefix))
    if (!found) return undefined
    const [rest = ''] = name.slice(found.prefix.length).split('.', 1)
    return { ...found.usage, package: found.usage.package.replace('*', rest) }
  }
}

/** Indexes rows by package URL, by `family:module`, and by gem. */
function indexRows(rows: readonly PackageRow[]) {
  const dependencies = new NameIndex()
  const imports = new NameIndex()
  const gems = new NameIndex()

  /** Returns the first package of each language. */
  function addPackages(row: PackageRow): ReadonlyMap<string, PackageUsage> {
    const firsts = new Map<string, PackageUsage>()
    for (const packageUrl of row.packages) {
      const usage = toUsage(packageUrl, row)
      const key = toPackageKey(packageUrl)
      dependencies.add(key, usage)
      if (isProvider(key)) dependencies.add(toProviderKey(key), usage)
      const parsed = parsePackageUrl(packageUrl)
      if (!parsed) continue
      const { family, name } = parsed
      const isOpen = firsts.get(family)?.package.endsWith('*') ?? true
      if (isOpen && !(packageUrl.endsWith('*') && firsts.has(family))) firsts.set(family, usage)
      if (family === 'ruby') gems.add(name, usage)
      if (!row.imports?.[family]) addModules(parsed, usage)
    }
    return firsts
  }

  function addModules(named: { family: ImportingLanguage; name: string }, usage: PackageUsage) {
    for (const module of toModules(named)) imports.add(`${named.family}:${module}`, usage)
  }

  for (const row of rows) {
    const firsts = addPackages(row)
    for (const [family, modules = []] of Object.entries(row.imports ?? {})) {
      for (const module of modules) {
        const usage = family === 'shell' ? toTool(row, module) : firsts.get(family)
        if (usage) imports.add(`${family}:${toModuleKey(module)}`, usage)
        if (usage && family === 'ruby') gems.add(module, usage)
      }
    }
    for (const { package: name, isOwn, family, modules } of listProviderPackages(row)) {
      const usage = toUsage(name, row)
      if (isOwn) dependencies.add(toPackageKey(name), usage)
      if (!modules) addModules({ family, name: name.replace(/^pkg:\w+\//, '') }, usage)
      for (const module of modules ?? []) imports.add(`${family}:${toModuleKey(module)}`, usage)
    }
  }
  return { dependencies, imports, gems: gems.exact }
}

function toUsage(name: string, { url, environments, kind }: PackageRow): PackageUsage {
  return {
    package: toCanonicalPackageUrl(name),
    url,
    ...(environments && { environments }),
    ...(kind && { kind }),
  }
}

function isProvider(key: string): boolean {
  return key.startsWith('pkg:terraform/')
}

/** A Terraform provider by its type alone, as blocks name it; forks share the type. */
function toProviderKey(key: string): string {
  return `pkg:terraform/${key.slice(key.lastIndexOf('/') + 1)}`
}

/** A command-line tool: `aws.s3` is a command of `pkg:generic/aws`. */
function toTool({ url }: PackageRow, command: string): PackageUsage {
  const program = command.startsWith('@') ? command : command.replace(/\..*$/, '')
  return { package: `pkg:generic/${program}`, url }
}

/** The key of an imported module in the table: its parts joined by dots. */
export function toImportKey({ family, module }: Pick<ImportUsage, 'family' | 'module'>): string {
  if (family === 'javascript') return toModuleKey(toNpmName(module))
  // A library that deployments notify: `capistrano/honeybadger`.
  return toModuleKey(family === 'ruby' ? module.replace(/^capistrano\//, '') : module)
}

/** The namespaces above modules: `google.cloud` of `google.cloud.storage`. */
function listNamespaces(keys: Iterable<string>): ReadonlySet<string> {
  const namespaces = new Set<string>()
  for (const key of keys) {
    findByPrefix(key, (prefix) => {
      if (prefix !== key) namespaces.add(prefix)
    })
  }
  return namespaces
}

/** Import statements of most languages. */
const IMPORT = /^[ \t]*(?:@\w+[ \t]+)?import[ \t]+(?:static[ \t]+)?([\w.]{1,200})/gm

/** Import statements of the others; one group for each form. */
const IMPORTS: { readonly [family in LanguageFamily]?: RegExp } = {
  javascript: /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([^'"\n]{1,200})['"]/g,
  python: /^[ \t]*(?:from|import)[ \t]+([\w.]{1,200})|^[ \t]*import[ \t].*,[ \t]*([\w.]{1,200})/gm,
  go: /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([^"\n]{1,200})"/gm,
  ruby: /^[ \t]*require[ \t(]+['"]([^'"\n]{1,200})['"]/gm,
  php: /^[ \t]*use[ \t]+\\?([\w\\]{1,200})/gm,
  'c-sharp':
    /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]{1,200})/gm,
  rust: /^[ \t]*(?:pub[ \t]+)?use[ \t]+(?:::)?([\w:]{1,200})|^[ \t]*extern crate[ \t]+(\w+)/gm,
  shell: /(?<![\w./@-])(@?[a-z][\w/-]{1,40})(?:@[\w.]+)?(?=[ \t]+\S)/g,
}

/** The modules of a package by the conventions of its ecosystem; Java and PHP have none. */
function toModules(named: { readonly family: ImportingLanguage; readonly name: string }) {
  const { family, name } = named
  const underscored = name.replaceAll('-', '_')
  if (family === 'python' || family === 'rust') return [toModuleKey(underscored)]
  if (family === 'ruby') return [name, name.replaceAll('-', '/'), underscored].map(toModuleKey)
  return family === 'java' || family === 'php' ? [] : [toModuleKey(name)]
}

/**
 * Replaces all separators by dots, so that cutting at dots finds the parent modules. Dots within a
 * part (`github.com`) remain, in rows as well as in imports.
 */
function toModuleKey(module: string): string {
  return module.replace(/^\\/, '').replaceAll(/::|[/\\]/g, '.')
}

/** Converts `npm:stripe@14/lib` and `https://esm.sh/stripe@14` to names of npm. */
function toNpmName(module: string): string {
  const path = module.replace(
    /^(?:npm:|jsr:|https:\/\/(?:esm\.sh|cdn\.skypack\.dev|cdn\.jsdelivr\.net\/npm)\/)/,
    '',
  )
  return path.replace(/^((?:@[^/@]+\/)?[^/@]+)@[^/]*/, '$1')
}
