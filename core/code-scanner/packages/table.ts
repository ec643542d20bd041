import { memoizeByText } from '../../shared/memoize.ts'
import {
  type ImportingLanguage,
  PACKAGE_TYPES,
  type PackageRow,
} from '../../vendors/package-rows.ts'
import { VENDOR_PACKAGES } from '../../vendors/packages.ts'
import type { LanguageFamily } from '../model/language.ts'
import type { ImportUsage, PackageUsage } from '../model/packages.ts'
import { createIntegrationFinder } from './integrations.ts'
import { parsePackageUrl, toCanonicalPackageUrl, toPackageKey } from './package-urls.ts'
import { listProviderPackages } from './providers.ts'
import {
  findByPrefix,
  indexQualifiedNames,
  type QualifiedNames,
  type QualifiedPackage,
  type QualifiedUsage,
} from './qualified-names.ts'
import { findScriptGlobal, mayUseScriptGlobal } from './script-globals.ts'

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
  // Most projects need few of the languages and ecosystems.
  const openLanguage = memoizeByText((family) => createLanguageTable(rows, family))
  const openEcosystem = memoizeByText((type) => indexDependencies(rows, type))
  const findIntegration = createIntegrationFinder(rows)
  const findPackage = ({ family, module, imported }: ImportUsage): PackageUsage | undefined => {
    const name = `${family}:${toImportKey({ family, module })}`
    const whole =
      imported === undefined || imported === '*' || imported === '' ? name : `${name}.${imported}`
    const { imports } = openLanguage(family)
    const found = findByPrefix(whole, (prefix) => imports.exact.get(prefix))
    return found ?? imports.findOpen(whole) ?? findIntegration({ family, module })
  }
  return {
    findPackage,
    findQualified: (usage) =>
      usage.family === 'javascript'
        ? findScriptGlobal(usage.name)
        : openLanguage(usage.family).findQualified(usage),
    findDependency(packageUrl) {
      const key = toPackageKey(packageUrl)
      const found = openEcosystem(toTypePrefix(key))
      const provider = isProvider(key) ? found.exact.get(toProviderKey(key)) : undefined
      return found.exact.get(key) ?? provider ?? found.findOpen(key)
    },
    mayImport({ family, text }) {
      if (family === 'other') return false
      if (family === 'javascript' && mayUseScriptGlobal(text)) return true
      const { namespaces, mayUse } = openLanguage(family)
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

/** Libraries that a language imports. */
interface LanguageTable extends QualifiedNames {
  readonly imports: NameIndex
  readonly namespaces: ReadonlySet<string>
}

function createLanguageTable(rows: readonly PackageRow[], family: string): LanguageTable {
  const { imports, gems } = isImporting(family)
    ? indexImports(rows, family)
    : { imports: new NameIndex(), gems: new Map() }
  return {
    imports,
    namespaces: listNamespaces(imports.exact.keys()),
    ...indexQualifiedNames(imports.exact, gems),
  }
}

/**
 * Packages of a vendor's namespace that call no API: types, settings of tools, decoders, icons,
 * signers, parts of its clients, profilers, and what runs on the device alone.
 */
const CALLS_NOTHING = [
  /@[\w-]+\/(?:(?:eslint|prettier|stylelint|ts)-?(?:config|plugin)[\w-]*|types|icons|angular-jwt)(?:[./]|$)/,
  /@[\w-]+\/(?:(?:util|middleware|hash|native)-[\w-]+|[\w-]+-signer|signature-v4[\w-]*|pprof)(?:[./]|$)/,
  /@azure\/(?:core-[\w-]+|logger|abort-controller)|@google-cloud\/(?:paginator|projectify|promisify)(?:[./]|$)/,
  /\/aws\/aws-sdk-go-v2(?:\/(?:aws|config|credentials|internal)(?:\/|$)|$)/,
  /\/play-services-(?:wearable|base(?:ment)?|tasks|fido|oss-licenses|instantapps)$/,
]

/** Libraries by name. If several have the same name, the first wins. */
class NameIndex {
  readonly exact = new Map<string, PackageUsage>()
  readonly #open: { readonly prefix: string; readonly usage: PackageUsage }[] = []

  /** Adds a name; one that ends in `*` matches all names with that prefix. */
  add(name: string, usage: PackageUsage): void {
    if (name.endsWith('*')) this.#open.push({ prefix: name.slice(0, -1), usage })
    else if (!this.exact.has(name)) this.exact.set(name, usage)
  }

  /**
   * Finds the first prefix; the package name ends with the next part of the name. `acme.api.*` matches
   * `acme.api` too.
   */
  findOpen(name: string): PackageUsage | undefined {
    if (CALLS_NOTHING.some((pattern) => pattern.test(name))) return undefined
    const found = this.#open.find(({ prefix }) => `${name}.`.startsWith(prefix))
    if (!found) return undefined
    const [rest = ''] = name.slice(found.prefix.length).split('.', 1)
    return { ...found.usage, package: found.usage.package.replace('*', rest).replace(/\.$/, '') }
  }
}

/** Indexes the packages of a type, such as `pkg:npm/`, by package URL. */
function indexDependencies(rows: readonly PackageRow[], type: string): NameIndex {
  const dependencies = new NameIndex()
  const language = parsePackageUrl(type)?.family
  for (const row of rows) {
    for (const packageUrl of row.packages) {
      if (!packageUrl.startsWith(type)) continue
      const usage = toUsage(packageUrl, row)
      const key = toPackageKey(packageUrl)
      dependencies.add(key, usage)
      if (isProvider(key)) dependencies.add(toProviderKey(key), usage)
    }
    for (const { package: name, isOwn } of listProviderPackages(row, language)) {
      if (isOwn && name.startsWith(type)) dependencies.add(toPackageKey(name), toUsage(name, row))
    }
  }
  return dependencies
}

/** Indexes the packages of a language by `family:module`, and by gem. */
function indexImports(rows: readonly PackageRow[], family: ImportingLanguage) {
  const imports = new NameIndex()
  const gems = new NameIndex()
  const types = PACKAGE_TYPES[family].map((type) => `pkg:${type}/`)

  /** Returns the first package. */
  function addPackages(row: PackageRow): PackageUsage | undefined {
    let first: PackageUsage | undefined
    for (const packageUrl of row.packages) {
      const type = types.find((each) => packageUrl.startsWith(each))
      if (type === undefined) continue
      const usage = toUsage(packageUrl, row)
      if (!first || (first.package.endsWith('*') && !packageUrl.endsWith('*'))) first = usage
      const name = packageUrl.slice(type.length)
      if (family === 'ruby') gems.add(name, usage)
      if (!row.imports?.[family]) addModules(name, usage)
    }
    return first
  }

  function addModules(name: string, usage: PackageUsage) {
    for (const module of toModules({ family, name })) imports.add(`${family}:${module}`, usage)
  }

  for (const row of rows) {
    const first = addPackages(row)
    for (const module of row.imports?.[family] ?? []) {
      const usage = family === 'shell' ? toTool(row, module) : first
      if (usage) imports.add(`${family}:${toModuleKey(module)}`, usage)
      if (usage && family === 'ruby') gems.add(module, usage)
    }
    for (const provided of listProviderPackages(row, family)) {
      const usage = toUsage(provided.package, row)
      const { modules, package: name } = provided
      if (!modules) addModules(name.replace(/^pkg:\w+\//, ''), usage)
      for (const module of modules ?? []) imports.add(`${family}:${toModuleKey(module)}`, usage)
    }
  }
  return { imports, gems: gems.exact }
}

function toUsage(name: string, row: PackageRow): PackageUsage {
  const { url, environments, kind, selfHosted } = row
  return {
    package: toCanonicalPackageUrl(name),
    url,
    ...(environments && { environments }),
    ...(kind && { kind }),
    ...(selfHosted && { isGuess: true }),
  }
}

function isImporting(family: string): family is ImportingLanguage {
  return Object.hasOwn(PACKAGE_TYPES, family)
}

/** Returns `pkg:npm/` of a package URL of npm. */
function toTypePrefix(key: string): string {
  return key.slice(0, key.indexOf('/') + 1)
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
  shell:
    /(?<![\w./@-])(@?[a-z][\w/-]{1,40})(?:@[\w.]+)?(?=[ \t]+\S)|\/([a-z][\w-]{1,40})(?=[ \t]+\S)/g,
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
