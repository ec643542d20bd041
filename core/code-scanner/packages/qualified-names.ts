import type { LanguageFamily } from '../model/language.ts'
import type { PackageUsage } from '../model/packages.ts'

/** A name that code uses without an import: `Stripe.Charge.create`. */
export interface QualifiedUsage {
  readonly family: LanguageFamily
  /** Parts joined by dots, the last one a member of the library. */
  readonly name: string
}

/** The library of a qualified name. */
export interface QualifiedPackage extends PackageUsage {
  /** False for a library name of one part, which may be the project's own. */
  readonly isSure: boolean
}

/** Finds libraries that code uses without an import. */
export interface QualifiedNames {
  findQualified(usage: QualifiedUsage): QualifiedPackage | undefined
  /** Whether a text may use one of them; cheap, with false positives. */
  mayUse(source: { readonly family: LanguageFamily; readonly text: string }): boolean
}

/** Indexes libraries by their modules, as `family:Module.Part`, and by their gems. */
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
  return {
    findQualified({ family, name: written }) {
      const name = written.replace(/^Object\./, '')
      if (!NAME_START[family]?.test(name)) return undefined
      return findByPrefix(name.slice(0, name.lastIndexOf('.')), (module) => {
        const isRuby = family === 'ruby'
        const found = isRuby
          ? constants.get(foldConstant(module))
          : imports.get(`${family}:${module}`)
        return found && { ...found, isSure: !isRuby && module.includes('.') }
      })
    },
    mayUse({ family, text }) {
      const pattern = HEADS[family]
      if (!pattern) return false
      for (const { 1: name = '', index } of text.matchAll(pattern)) {
        if (heads.has(`${family}:${family === 'ruby' ? foldConstant(name) : name}`)) return true
        if (family !== 'java' || isDeclared(text, index)) continue
        if (findByPrefix(`java:${name}`, (prefix) => imports.get(prefix))) return true
      }
      return false
    },
  }
}

/** Returns the first result for a dotted name or its parents: `a.b.c`, `a.b`, `a`. */
export function findByPrefix<Value>(
  name: string,
  find: (prefix: string) => Value | undefined,
): Value | undefined {
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
    const found = find(name.slice(0, end))
    if (found !== undefined) return found
  }
  return undefined
}

/** Heads of qualified names in texts; for Java the whole package. */
const HEADS: { readonly [family in LanguageFamily]?: RegExp } = {
  java: /(?<![\w.])((?:[a-z]\w{0,40}\.){1,12}[a-z]\w{0,40})\.[A-Z]/g,
  ruby: /\b([A-Z]\w{0,60})(?:::|\.)\w/g,
  php: /\b([A-Z]\w{0,60})\\\w/g,
  'c-sharp': /\b([A-Z]\w{0,60})\.[A-Z]/g,
  rust: /\b([a-z]\w{0,60})::/g,
}

const NAME_START: { readonly [family in LanguageFamily]?: RegExp } = {
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

/** Length of the text before a name that may contain a keyword. */
const MAX_KEYWORD = 40

function headOf(key: string): string {
  return key.split('.', 1)[0] ?? ''
}

/** Constants of a gem by naming conventions: `Aws::S3` of `aws-sdk-s3`. */
function toConstants(gem: string): readonly string[] {
  const parts = foldConstant(gem).split(/[-/.]/)
  const short = parts.filter((part) => !GEM_WORDS.has(part))
  const names = [parts.join('.'), short.join('.'), parts.join('')]
  return [...new Set(names)].filter((name) => name !== '')
}

/** Words of gem names that are not in constants. */
const GEM_WORDS = new Set('ruby rb sdk api client rest gem library server v2 v3 rails'.split(' '))

function foldConstant(name: string): string {
  return name.replaceAll('::', '.').replaceAll('_', '').toLowerCase()
}
