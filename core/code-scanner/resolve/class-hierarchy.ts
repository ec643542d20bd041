import { ownEntry } from '../model/collections.ts'
import type { FileScan, UnresolvedReference } from '../model/file-scan.ts'
import { lastName } from '../model/name-patterns.ts'
import { folderOf, type ModuleFinder } from './module-names.ts'

/** A class of a file. */
export interface ClassPlace {
  readonly name: string
  readonly file: FileScan
}

/** Tells which classes of a project extend which. */
export interface ClassLines {
  /** Classes that extend a class, one by way of another too; not all where there are many. */
  below(owner: ClassPlace): readonly ClassPlace[]
  /** Whether a class is, or extends, one of that name. */
  isOf(heir: ClassPlace, owner: string): boolean
  /** Whether what a file calls that, or takes from elsewhere, may be a class. */
  mayMean(
    reference: UnresolvedReference,
    at: { readonly from: FileScan; readonly owner: ClassPlace },
  ): boolean
  /** The classes that a class extends, itself first, as far as the project has them. */
  lineOf(heir: ClassPlace): readonly ClassPlace[]
}

/** Indexes the classes of a project, when they are asked for first. */
export function indexClassLines(files: readonly FileScan[], modules: ModuleFinder): ClassLines {
  const heirs = new Map<string, Heir[]>()
  const lines = new Map<FileScan, Map<string, readonly ClassPlace[]>>()
  let isIndexed = false

  function indexHeirs(): void {
    isIndexed = true
    for (const file of files) {
      for (const [name, { baseClasses: above }] of Object.entries(file.exports)) {
        if (!above || !name.endsWith('^')) continue
        for (const one of above) {
          const key = `${file.language}:${classNameOf(one, file)}`
          const known = heirs.get(key)
          const heir = { name: name.slice(0, -1), file, above: one }
          if (!known) heirs.set(key, [heir])
          else if (known.length < MAX_HEIRS) known.push(heir)
        }
      }
    }
  }

  /** Whether the class that is extended may be the one of that file. */
  function extendsIt({ above, file }: Heir, owner: ClassPlace): boolean {
    if (file === owner.file) return true
    const places = placesOf(above, file)
    return places.length === 0
      ? folderOf(file.path) === folderOf(owner.file.path)
      : places.includes(owner.file)
  }

  /** Name of the class that a reference means, which its file may export as a whole. */
  function classNameOf({ module, name }: UnresolvedReference, from: FileScan): string {
    if (module === '' || !/^(?:default)?$/.test(name)) return lastName(name)
    const [file] = modules.find(module, from)
    const known = file && Object.keys(file.exports).find((one) => one.endsWith('^'))
    return known ? known.slice(0, -1) : lastName(name)
  }

  function placesOf({ module, name }: UnresolvedReference, from: FileScan): readonly FileScan[] {
    if (module !== '') {
      const named = modules.find(module, from)
      return named.length > 0 ? named : modules.find(`${module}.${lastName(name)}`, from)
    }
    return modules.findByName(`${lastName(name)}^`, from)
  }

  function lineOf(heir: ClassPlace): readonly ClassPlace[] {
    const known = lines.get(heir.file) ?? new Map<string, readonly ClassPlace[]>()
    lines.set(heir.file, known)
    const found = known.get(heir.name)
    if (found) return found
    const line = [heir]
    for (let at = 0; at < line.length && at < MAX_LINE; at += 1) {
      const one = line[at]
      const above = one && ownEntry(one.file.exports, `${one.name}^`)?.baseClasses
      for (const reference of one && above ? above : []) {
        const name = classNameOf(reference, heir.file)
        const file =
          one && ownEntry(one.file.exports, `${name}^`)
            ? one.file
            : one &&
              placesOf(reference, one.file).find((place) => ownEntry(place.exports, `${name}^`))
        if (file && !line.some((seen) => seen.file === file && seen.name === name)) {
          line.push({ name, file })
        }
      }
    }
    known.set(heir.name, line)
    return line
  }

  return {
    lineOf,
    mayMean(reference, { from, owner }) {
      const isElsewhere = /^[\w.]/.test(reference.module)
      if (isElsewhere && placesOf(reference, from).length === 0) return false
      if (modules.findAll(`${owner.name}^`, from).length < 2) return true
      return extendsIt({ name: owner.name, file: from, above: reference }, owner)
    },
    isOf: (heir, owner) => lineOf(heir).some(({ name }) => name === owner),
    below(owner) {
      if (!isIndexed) indexHeirs()
      const found: ClassPlace[] = []
      const queue = [owner]
      for (let step = 0; step < MAX_BELOW; step += 1) {
        const next = queue.shift()
        if (!next) break
        for (const heir of heirs.get(`${next.file.language}:${next.name}`) ?? []) {
          if (found.length >= MAX_BELOW) break
          if (found.some(({ file, name }) => file === heir.file && name === heir.name)) continue
          if (!extendsIt(heir, next)) continue
          found.push({ name: heir.name, file: heir.file })
          queue.push({ name: heir.name, file: heir.file })
        }
      }
      return found
    },
  }
}

interface Heir extends ClassPlace {
  readonly above: UnresolvedReference
}

/** Longest line of classes, most classes that are kept of one name, or looked at below one class. */
const MAX_LINE = 6
const MAX_HEIRS = 200
const MAX_BELOW = 200
