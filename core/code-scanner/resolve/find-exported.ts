import { ownEntry } from '../model/collections.ts'
import type { Exported, FileScan, UnresolvedReference } from '../model/file-scan.ts'
import { lastName } from '../model/name-patterns.ts'
import { ENVIRONMENT_LANGUAGE, hasScheme, onlyReference } from '../model/pattern.ts'
import { fieldOfGetter, findOptionKey } from '../model/setting-keys.ts'
import { isNoiseHost } from '../noise/noise.ts'
import { isDataModule, type ModuleFinder } from './module-names.ts'

/** What a name means in another file. */
export interface Found {
  readonly exported: Exported
  readonly file: FileScan
}

/** Longest line of classes that are looked through for a member. */
export const MAX_LINE = 4

/** Longest chain of files that a name is followed through. */
export const MAX_DEPTH = 8

/**
 * Creates what finds the exports that references mean, and the files that have them. Its work for
 * one reference is bounded.
 */
export function createFinder(
  modules: ModuleFinder,
): (reference: UnresolvedReference, from: FileScan) => Found | undefined {
  /** Names with the files that were asked for them in vain, or are being asked. */
  const asked = new Set<string>()

  /** What a reference means: the export, and the file that has it. */
  function find(reference: UnresolvedReference, from: FileScan, depth = 0): Found | undefined {
    if (depth > MAX_DEPTH) return undefined
    if (reference.name === '') {
      // `require` gives what a module exports as a whole.
      const isModule = reference.module !== '' && from.language === 'javascript'
      return isModule ? find({ ...reference, name: 'default' }, from, depth + 1) : undefined
    }
    const places =
      reference.module === ''
        ? modules.findByName(reference.name, from)
        : modules.find(reference.module, from)
    // Names of data have no items of lists.
    const name = isDataModule(reference.module)
      ? reference.name.replaceAll(/\.(?:\*|\d+)(?=\.|$)/g, '')
      : reference.name
    let local: Found | undefined
    for (const file of places) {
      const found = findIn(name, file, depth)
      const isLocal = reference.module === ENVIRONMENT_LANGUAGE && isLocalAddress(found)
      if (found && !isLocal) return found
      local ??= found
    }
    return (
      local ??
      findBelow(reference, from, depth) ??
      findAbove(reference, from, depth) ??
      findOption(reference, from) ??
      findField(reference, from, depth) ??
      findConstant(reference, from, depth) ??
      findExtension(reference, from, depth)
    )
  }

  /** A constant by its whole path, or of a Rust crate whose folder has another name. */
  function findConstant({ module, name }: UnresolvedReference, from: FileScan, depth: number) {
    const [, path = '', constant] = /^(?:([a-z][\w.]*)\.)?([A-Z][A-Z\d_]+)$/.exec(name) ?? []
    if (from.language !== 'rust' || constant === undefined || module + path === '') return undefined
    return find({ module: module === '' ? path : '', name: constant }, from, depth + 1)
  }

  /** The field of a getter that no code contains: `@Getter` of Lombok. */
  function findField(reference: UnresolvedReference, from: FileScan, depth: number) {
    const method = lastName(reference.name)
    const field = from.language === 'java' ? fieldOfGetter(method) : undefined
    if (field === undefined) return undefined
    const name = reference.name.slice(0, -method.length) + field
    const found = find({ ...reference, name }, from, depth + 1)
    const { value } = found?.exported ?? {}
    return found && value !== undefined
      ? { ...found, exported: { value, returns: value } }
      : undefined
  }

  /** A function that extends a class of a library: `HttpClient.fetch` of Kotlin. */
  function findExtension({ module, name }: UnresolvedReference, from: FileScan, depth: number) {
    const isMember = from.language === 'java' && module !== '' && /^[A-Z]\w*\.\w+$/.test(name)
    return isMember ? find({ module: '', name }, from, depth + 1) : undefined
  }

  /** The setting of a configuration file that fills a member of a class of options. */
  function findOption(reference: UnresolvedReference, from: FileScan): Found | undefined {
    const { name, enclosingClass = '' } = reference
    const [, owner = '', member = ''] = /^(\^|\w+)\.(?:@set)?(.+)$/.exec(name) ?? []
    const key = findOptionKey(owner === '^' ? enclosingClass : owner, member)
    if (key === undefined) return undefined
    for (const file of modules.find(ENVIRONMENT_LANGUAGE, from)) {
      const exported = ownEntry(file.exports, key)
      // A record reads its members by methods: `settings.baseUrl()`.
      if (exported) return { exported: { ...exported, returns: exported.value ?? '' }, file }
    }
    return undefined
  }

  /** A name that a class has from those that it extends. */
  function findAbove(
    reference: UnresolvedReference,
    from: FileScan,
    depth: number,
  ): Found | undefined {
    const name = reference.name.replace(/^\^\./, '')
    for (const { module, name: above } of depth > MAX_LINE ? [] : (reference.baseClasses ?? [])) {
      const base = above || 'default'
      const own = find({ module, name: `${base}^` }, from, depth + 1)
      const member = `${base}.${name}`
      const named = find({ module, name: member }, from, depth + 1)
      // Another file may define a class of the same name.
      const isOther = own && named && named.file !== own.file && `${base}^` in named.file.exports
      const found = isOther || !named ? own && findIn(member, own.file, depth + 1) : named
      if (found) return found
      const further = own?.exported.baseClasses
      const inherited =
        further && findAbove({ ...reference, baseClasses: further }, own.file, depth + 1)
      if (inherited) return inherited
    }
    return undefined
  }

  /** A name that is a file below the module: `from . import config`, `use App\\Config`. */
  function findBelow(
    { module, name }: UnresolvedReference,
    from: FileScan,
    depth: number,
  ): Found | undefined {
    const dot = name.indexOf('.')
    const isRuby = from.language === 'ruby'
    const nested = isRuby ? /\./ : NESTED
    if (!SUBMODULES.has(from.language) && nested.test(name) && (module === '' || !isRuby)) {
      // Modules and classes around a class are not part of its name here.
      return find({ module, name: name.slice(dot + 1) }, from, depth + 1)
    }
    if (module === '' || !SUBMODULES.has(from.language)) return undefined
    const head = dot < 0 ? name : name.slice(0, dot)
    const mark = from.language === 'php' ? '\\' : /\.$/.test(module) ? '' : '.'
    const isNamed = from.language === 'php'
    const rest = isNamed ? name : dot < 0 ? '' : name.slice(dot + 1)
    const below = `${module}${mark}${head}`
    for (const file of rest === '' ? [] : modules.find(below, from)) {
      const found = findIn(rest, file, depth)
      if (found) return found
    }
    const hasMore = !isNamed && rest.includes('.')
    return hasMore ? findBelow({ module: below, name: rest }, from, depth) : undefined
  }

  function findIn(name: string, file: FileScan, depth: number): Found | undefined {
    if (depth > MAX_DEPTH) return undefined
    const own = ownEntry(file.exports, name)
    if (own) {
      const alias = aliasOf(own, file)
      return (alias && find(alias, file, depth + 1)) ?? { exported: own, file }
    }
    // The head may be a name of a third file: `export { config } from './c'`, then `config.url`.
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const head = name.slice(0, dot)
      const known = ownEntry(file.exports, head)
      const alias = known && aliasOf(known, file)
      if (!alias) continue
      return find({ ...alias, name: `${alias.name}${name.slice(dot)}` }, file, depth + 1)
    }
    const handedOn = findHandedOn(name, file, depth)
    if (handedOn) return handedOn
    const isDefault = name === 'default' || name.startsWith('default.')
    // `require` gives the module itself, or what it exports as a whole.
    return isDefault ? undefined : findIn(`default.${name}`, file, MAX_DEPTH)
  }

  /** A name that a file hands on from others, which may hand on from it in turn. */
  function findHandedOn(name: string, file: FileScan, depth: number): Found | undefined {
    const question = `${name} ${file.path}`
    if (file.reexports.length === 0 || asked.has(question) || asked.size >= MAX_ASKED) {
      return undefined
    }
    asked.add(question)
    for (const module of file.reexports.slice(0, MAX_REEXPORTS)) {
      const found = find({ module, name }, file, depth + 1)
      if (!found) continue
      asked.delete(question)
      return found
    }
    return undefined
  }

  return (reference, from) => {
    asked.clear()
    if (!reference.name.includes('|')) return find(reference, from)
    for (const name of reference.name.split('|')) {
      const found = find({ ...reference, name }, from)
      if (found) return found
    }
    return undefined
  }
}

/** Whether a setting is an address of the developer's machine; another file may have the real one. */
function isLocalAddress(found: Found | undefined): boolean {
  const { value } = found?.exported ?? {}
  return typeof value === 'string' && hasScheme(value) && isNoiseHost(value)
}

/** Most files that one file hands on from, and most that are asked for what they hand on. */
const MAX_REEXPORTS = 50
const MAX_ASKED = 200

/** Names of members of nested classes. */
const NESTED = /^[A-Z]\w*\.[A-Z]\w*\.\w/

/** Languages whose imports name files below a module as they name its members. */
const SUBMODULES = new Set(['python', 'php', 'rust'])

/** The reference that an export is nothing but. */
function aliasOf(exported: Exported, file: FileScan): UnresolvedReference | undefined {
  const index = onlyReference(exported.value ?? '')
  if (index === undefined || exported.client || exported.calls) return undefined
  const reference = file.references[index]
  // A parameter is a value of its own.
  return reference?.parameter ? undefined : reference
}
