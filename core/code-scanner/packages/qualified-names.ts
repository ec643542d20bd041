import type { LanguageFamily } from '../model/language.ts'
import type { PackageUsage } from '../model/packages.ts'

/** A name that code uses without an import: `Stripe.Charge.create`. */
export interface QualifiedUsage {
  readonly family: LanguageFamily
  /** Parts joined by dots, the last one a member of what the library defines. */
  readonly name: string
}

/** The library of a qualified name. */
export interface QualifiedPackage extends PackageUsage {
  /** False for a library name of one part, which may be the project's own. */
  readonly isSure: boolean
}

/** Finds libraries that code uses without an import. */
export interface QualifiedNames {
  findQualified(use: QualifiedUsage): QualifiedPackage | undefined
  /** Whether a text may use one of them; cheap, and sometimes wrongly true. */
  mayUse(source: { readonly family: LanguageFamily; readonly text: string }): boolean
}

/** Indexes libraries by what code imports of them, as `family:Module.Part`, and by their gems. */
export function indexQualifiedNames(
  imports: ReadonlyMap<string, PackageUsage>,
  gems: ReadonlyMap<string, PackageUsage>,
): QualifiedNames {
  const constants = new Map<string, PackageUsage>()
  for (const [gem, found] of gems) {
    for (const name of toConstants(gem)) if (!constants.has(name)) constants.set(name, found)
  }
  const heads = new Set([...imports.keys()].map(headOf))
  for (const name of constants.keys()) heads.add(headOf(`ruby:${name}`))
  const find = (family: LanguageFamily, module: string) =>
    family === 'ruby' ? constants.get(foldConstant(module)) : imports.get(`${family}:${module}`)
  return {
    findQualified({ family, name }) {
      if (!HEADS[family] || !HEAD_START[family]?.test(name)) return undefined
      for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
        const module = name.slice(0, end)
        const found = find(family, module)
        if (found) return { ...found, isSure: family !== 'ruby' && module.includes('.') }
      }
      return undefined
    },
    mayUse({ family, text }) {
      const pattern = HEADS[family]
      if (!pattern) return false
      for (const { 1: name = '', index } of text.matchAll(pattern)) {
        if (family === 'java' && isDeclared(text, index)) continue
        const isKnown = heads.has(`${family}:${family === 'ruby' ? foldConstant(name) : name}`)
        if (isKnown || (family === 'java' && hasPrefix(imports, name))) return true
      }
      return false
    },
  }
}

/** Heads of qualified names in texts; for Java the whole package. */
const HEADS: { readonly [family in LanguageFamily]?: RegExp } = {
  java: /(?<![\w.])((?:[a-z]\w{0,40}\.){1,12}[a-z]\w{0,40})\.[A-Z]/g,
  ruby: /\b([A-Z]\w{0,60})(?:::|\.)\w/g,
  php: /\b([A-Z]\w{0,60})\\\w/g,
  'c-sharp': /\b([A-Z]\w{0,60})\.[A-Z]/g,
  rust: /\b([a-z]\w{0,60})::/g,
}

const HEAD_START: { readonly [family in LanguageFamily]?: RegExp } = {
  java: /^[a-z]\w*\.[a-z]/,
  ruby: /^[A-Z]/,
  php: /^[A-Z]/,
  'c-sharp': /^[A-Z]/,
  rust: /^[a-z]/,
}

/** Whether the name at an index is that of an `import` or `package`. */
function isDeclared(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - MAX_KEYWORD), index)
  return /\b(?:import|package|static)\s+$/.test(before)
}

/** Length of the text before a name in which a keyword is looked for. */
const MAX_KEYWORD = 40

function hasPrefix(imports: ReadonlyMap<string, PackageUsage>, name: string): boolean {
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
    if (imports.has(`java:${name.slice(0, end)}`)) return true
  }
  return false
}

function headOf(key: string): string {
  return key.split('.', 1)[0] ?? ''
}

/** Constants that a gem defines by the habits of gems: `Aws::S3` of `aws-sdk-s3`. */
function toConstants(gem: string): readonly string[] {
  const parts = foldConstant(gem).split(/[-/.]/)
  const short = parts.filter((part) => !GEM_WORDS.has(part))
  return [...new Set([parts.join('.'), short.join('.')])].filter((name) => name !== '')
}

/** Words of gems' names that their constants lack. */
const GEM_WORDS = new Set('ruby rb sdk api client rest gem library server v2 v3 rails'.split(' '))

function foldConstant(name: string): string {
  return name.replaceAll('::', '.').replaceAll('_', '').toLowerCase()
}
