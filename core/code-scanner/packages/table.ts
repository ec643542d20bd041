import type { ImportingLanguage, PackageRow } from '../../vendors/package-rows.ts'
import { VENDOR_PACKAGES } from '../../vendors/packages.ts'
import type { LanguageFamily } from '../model/language.ts'
import type { ImportUsage, PackageUsage } from '../model/packages.ts'
import { toPackageKey } from './package-key.ts'
import { listProviderPackages } from './providers.ts'
import {
  indexQualifiedNames,
  type QualifiedPackage,
  type QualifiedUsage,
} from './qualified-names.ts'

/** Finds the vendor's library that a manifest or an import names. */
export interface PackageTable {
  /** By package URL; version, qualifiers and case do not matter. */
  findDependency(packageUrl: string): PackageUsage | undefined
  /** By what code imports. */
  findPackage(use: ImportUsage): PackageUsage | undefined
  /** By a name that code uses without an import. */
  findQualified(use: QualifiedUsage): QualifiedPackage | undefined
  /** Whether a text of a language may use one of them; cheap, and sometimes wrongly true. */
  mayImport(source: { readonly family: LanguageFamily; readonly text: string }): boolean
}

/**
 * A table of libraries; of rows that name the same package the first counts.
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
  const dependencies = new Map<string, PackageUsage>()
  const imports = new Map<string, PackageUsage>()
  const gems = new Map<string, PackageUsage>()
  const open: OpenName[] = []
  const openImports: OpenName[] = []
  for (const row of rows) {
    const firsts = new Map<ImportingLanguage, PackageUsage>()
    for (const name of row.packages) {
      const found = toUsage(name, row)
      const key = toPackageKey(name)
      if (key.endsWith('*')) open.push({ prefix: key.slice(0, -1), use: found })
      else {
        setIfAbsent(dependencies, key, found)
        if (isProvider(key)) setIfAbsent(dependencies, toProviderKey(key), found)
      }
      const [, ecosystem = '', path = ''] = /^pkg:([a-z]+)\/(.*)$/.exec(name) ?? []
      const family = FAMILIES.get(ecosystem)
      if (!family) continue
      if (!firsts.has(family)) firsts.set(family, found)
      if (family === 'ruby') gems.set(path, gems.get(path) ?? found)
      if (row.imports?.[family]) continue
      for (const module of toModules({ family, path })) {
        const prefix = `${family}:${module}`
        if (prefix.endsWith('*')) openImports.push({ prefix: prefix.slice(0, -1), use: found })
        else if (!imports.has(prefix)) imports.set(prefix, found)
      }
    }
    for (const [family, modules] of Object.entries(row.imports ?? {})) {
      // The keys are those of `PackageRow.imports`.
      const first = firsts.get(family as ImportingLanguage)
      for (const module of modules ?? []) {
        const found = family === 'shell' ? toTool(row, module) : first
        if (found) setIfAbsent(imports, `${family}:${toModuleKey(module)}`, found)
        if (found && family === 'ruby') gems.set(module, gems.get(module) ?? found)
      }
    }
    for (const { package: name, isOwn, family, modules } of listProviderPackages(row)) {
      const found = toUsage(name, row)
      if (isOwn) setIfAbsent(dependencies, toPackageKey(name), found)
      for (const module of modules ?? toModules({ family, path: name.replace(/^pkg:\w+\//, '') })) {
        setIfAbsent(imports, `${family}:${toModuleKey(module)}`, found)
      }
    }
  }
  const aboves = toAboves(imports.keys())
  const { findQualified, mayUse } = indexQualifiedNames(imports, gems)
  const findPackage = ({ family, module, imported }: ImportUsage): PackageUsage | undefined => {
    const name = toImportKey({ family, module })
    const whole =
      imported === undefined || imported === '*' || imported === '' ? name : `${name}.${imported}`
    for (let end = whole.length; end > 0; end = whole.lastIndexOf('.', end - 1)) {
      const found = imports.get(`${family}:${whole.slice(0, end)}`)
      if (found) return found
    }
    return findOpen(openImports, `${family}:${whole}`)
  }
  return {
    findPackage,
    findQualified,
    findDependency(packageUrl) {
      const key = toPackageKey(packageUrl)
      const provider = isProvider(key) ? dependencies.get(toProviderKey(key)) : undefined
      return dependencies.get(key) ?? provider ?? findOpen(open, key)
    },
    mayImport({ family, text }) {
      for (const [, ...modules] of text.matchAll(IMPORTS[family])) {
        const module = modules.find((one) => one !== undefined)
        if (module === undefined) continue
        if (aboves.has(`${family}:${toModuleKey(module)}`)) return true
        if (findPackage({ family, module })) return true
      }
      return mayUse({ family, text })
    },
  }
}

function toUsage(name: string, { url, environments, kind }: PackageRow): PackageUsage {
  return { package: name, url, ...(environments && { environments }), ...(kind && { kind }) }
}

function setIfAbsent<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value)
}

function isProvider(key: string): boolean {
  return key.startsWith('pkg:terraform/')
}

/** A Terraform provider by its type alone: blocks name it so, and forks share it. */
function toProviderKey(key: string): string {
  return `pkg:terraform/${key.slice(key.lastIndexOf('/') + 1)}`
}

/** A command-line tool: `aws.s3` is a command of `pkg:generic/aws`. */
function toTool({ url }: PackageRow, command: string): PackageUsage {
  const program = command.startsWith('@') ? command : command.replace(/\..*$/, '')
  return { package: `pkg:generic/${program}`, url }
}

/** A name whose end is open. */
interface OpenName {
  readonly prefix: string
  readonly use: PackageUsage
}

/** The first that fits; its name ends with the next part of the key. */
function findOpen(names: readonly OpenName[], key: string): PackageUsage | undefined {
  const found = names.find(({ prefix }) => key.startsWith(prefix))
  if (!found) return undefined
  const [rest = ''] = key.slice(found.prefix.length).split('.', 1)
  return { ...found.use, package: found.use.package.replace('*', rest) }
}

/** An imported module with its parts joined by dots, as the table looks it up. */
export function toImportKey({ family, module }: Pick<ImportUsage, 'family' | 'module'>): string {
  return toModuleKey(family === 'javascript' ? toNpmName(module) : module)
}

/** What stands above the modules: `google.cloud` of `google.cloud.storage`. */
function toAboves(keys: Iterable<string>): ReadonlySet<string> {
  const aboves = new Set<string>()
  for (const key of keys) {
    for (let end = key.lastIndexOf('.'); end > 0; end = key.lastIndexOf('.', end - 1)) {
      aboves.add(key.slice(0, end))
    }
  }
  return aboves
}

/** Where texts say what they import; a group for each form. */
const IMPORTS: Readonly<Record<LanguageFamily, RegExp>> = {
  javascript: /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([^'"\n]{1,200})['"]/g,
  python: /^[ \t]*(?:from|import)[ \t]+([\w.]{1,200})|^[ \t]*import[ \t].*,[ \t]*([\w.]{1,200})/gm,
  go: /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([^"\n]{1,200})"/gm,
  java: /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]{1,200})/gm,
  ruby: /^[ \t]*require[ \t(]+['"]([^'"\n]{1,200})['"]/gm,
  php: /^[ \t]*use[ \t]+\\?([\w\\]{1,200})/gm,
  'c-sharp':
    /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]{1,200})/gm,
  rust: /^[ \t]*(?:pub[ \t]+)?use[ \t]+(?:::)?([\w:]{1,200})|^[ \t]*extern crate[ \t]+(\w+)/gm,
  shell: /(?<![\w./@-])(@?[a-z][\w/-]{1,40})(?:@[\w.]+)?(?=[ \t]+\S)/g,
  other: /(?!)/g,
}

/** Languages whose imports name packages of an ecosystem. */
const FAMILIES: ReadonlyMap<string, ImportingLanguage> = new Map([
  ['npm', 'javascript'],
  ['pypi', 'python'],
  ['golang', 'go'],
  ['maven', 'java'],
  ['gem', 'ruby'],
  ['composer', 'php'],
  ['nuget', 'c-sharp'],
  ['cargo', 'rust'],
])

/** What code imports of a package by the habits of its ecosystem; Java and PHP have none. */
function toModules(named: {
  readonly family: LanguageFamily
  readonly path: string
}): readonly string[] {
  const { family, path } = named
  switch (family) {
    case 'javascript':
    case 'go':
    case 'c-sharp':
      return [toModuleKey(path)]
    case 'python':
    case 'rust':
      return [toModuleKey(path.replaceAll('-', '_'))]
    case 'ruby':
      return [...new Set([path, path.replaceAll('-', '/'), path.replaceAll('-', '_')])].map(
        toModuleKey,
      )
    default:
      return []
  }
}

/**
 * Parts with one separator, so that what is below a module is found by cutting at dots. Dots that
 * belong to a name (`github.com`) stay what they are, which is the same on both sides.
 */
function toModuleKey(module: string): string {
  return module.replace(/^\\/, '').replaceAll(/::|[/\\]/g, '.')
}

/** `npm:stripe@14/lib`, `https://esm.sh/stripe@14` and `stripe/lib` as names of npm. */
function toNpmName(module: string): string {
  const path = module.replace(
    /^(?:npm:|jsr:|https:\/\/(?:esm\.sh|cdn\.skypack\.dev|cdn\.jsdelivr\.net\/npm)\/)/,
    '',
  )
  return path.replace(/^((?:@[^/@]+\/)?[^/@]+)@[^/]*/, '$1')
}
