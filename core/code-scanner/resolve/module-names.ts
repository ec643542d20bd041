import type { FileScan } from '../model/file-scan.ts'
import { ENVIRONMENT_LANGUAGE } from '../model/pattern.ts'
import { isTestPath } from '../noise/path-roles.ts'

/** Finds the files of a project that modules name. */
export interface ModuleFinder {
  /** Files that a module may mean, seen from a file; the likelier first. */
  find(module: string, from: FileScan): readonly FileScan[]
  /** Files that export a name, of the family of a file: its folder's first. */
  findByName(name: string, from: FileScan): readonly FileScan[]
  /** All files but tests that export a name, of the language of a file. */
  findAll(name: string, from: FileScan): readonly FileScan[]
}

/** Indexes files by what may name them. */
export function indexModules(files: readonly FileScan[]): ModuleFinder {
  const byPath = new Map<string, FileScan>()
  const byTail = new Map<string, FileScan[]>()
  const byName = new Map<string, FileScan[]>()
  const environments = files.filter(({ language }) => language === ENVIRONMENT_LANGUAGE)
  const data = new Map(environments.map((file) => [file.path, file]))
  for (const file of files) {
    const path = moduleOf(file.path, EXTENSION)
    byPath.set(`${file.language}:${path}`, file)
    const parts = path.split('/')
    for (let start = Math.max(0, parts.length - MAX_TAIL); start < parts.length; start += 1) {
      push(byTail, `${file.language}:${parts.slice(start).join('/')}`, file)
    }
    // A Go package, a PHP or Java package: the folder.
    const folder = parts.slice(0, -1)
    for (let start = Math.max(0, folder.length - MAX_TAIL); start < folder.length; start += 1) {
      push(byTail, `${file.language}:${folder.slice(start).join('/')}/`, file)
    }
    // A Rust crate: its folder, which usually has its name.
    const tail = file.language === 'rust' ? crateTail(parts) : undefined
    if (tail) for (const end of [tail, folderOf(tail)]) push(byTail, `rust:${end}`, file)
    for (const name of Object.keys(file.exports)) push(byName, `${file.language}:${name}`, file)
  }

  function find(module: string, from: FileScan): readonly FileScan[] {
    const language = from.language
    if (module === ENVIRONMENT_LANGUAGE) return environments
    if (isDataModule(module)) return findData(module, from)
    if (/^\.{1,2}(?:\/|$)/.test(module)) {
      const path = resolvePath(from.path, module)
      const found = byPath.get(`${language}:${moduleOf(path)}`) ?? byPath.get(`${language}:${path}`)
      return found ? [found] : []
    }
    if (language === 'python' && module.startsWith('.')) return findInPackage(module, from)
    const inCrate = language === 'rust' ? findInCrate(module, from) : []
    if (inCrate.length > 0 || OWN_CRATE.test(module)) return inCrate
    const path = module
      .replace(/^(?:[@~#]\/|\\)/, '')
      .replaceAll(/\\|::/g, '/')
      .replaceAll('.', language === 'javascript' || language === 'go' ? '.' : '/')
    const alias = language === 'javascript' && /^@\w[\w-]*\/\w/.test(module)
    if (alias) return findAlias(moduleOf(path).slice(1).split('/'), from)
    const parts = moduleOf(path).split('/')
    if (language === 'javascript' && parts[0] === module) return []
    return findTail(parts, { module, from })
  }

  /** The files whose paths end like a module, the longest end first. */
  function findTail(
    parts: readonly string[],
    { module, from }: { readonly module: string; readonly from: FileScan },
  ): readonly FileScan[] {
    const { language } = from
    for (let start = 0; start < Math.min(parts.length, MAX_TAIL); start += 1) {
      const tail = parts.slice(start).join('/')
      // Several packages of a repository may have a module of the same name. Go imports folders only.
      const named = language === 'go' ? [] : (byTail.get(`${language}:${tail}`) ?? [])
      const found = nearest(named, from)
      if (found.length > 0 && found.length <= MAX_SAME) return found
      const folder = byTail.get(`${language}:${tail}/`)
      if (folder && folder.length <= MAX_FOLDER) return folder
      // A bare package is not a file of the same name somewhere.
      if (language === 'javascript' && !/^[@~#]\/|^src\//.test(module)) return []
    }
    return language === 'java' ? findPackage(parts.slice(0, -1)) : []
  }

  /** The file of a Python module by dots: `..config`. */
  function findInPackage(module: string, from: FileScan): readonly FileScan[] {
    const rest = module.replace(/^\.+/, '')
    const up = '../'.repeat(module.length - rest.length - 1) || './'
    const path = resolvePath(from.path, `${up}${rest.replaceAll('.', '/')}`)
    const found = byPath.get(`python:${path}`)
    return found ? [found] : []
  }

  /** The file of a Rust module, then those below it, which it may hand on. */
  function findInCrate(module: string, from: FileScan): readonly FileScan[] {
    const own = moduleOf(from.path, EXTENSION).replace(/(?:^|\/)main$/, '')
    const root = /^(?:.*\/)?src(?=\/|$)/.exec(own)?.[0] ?? folderOf(from.path).slice(0, -1)
    const parts = module.split('.')
    let path = parts[0] === 'crate' ? root : own
    while (/^(?:crate|self|super)$/.test(parts[0] ?? '')) {
      if (parts.shift() === 'super') path = folderOf(path).slice(0, -1)
    }
    for (; parts.length > 0 || OWN_CRATE.test(module); parts.pop()) {
      const whole = [path, ...parts].filter(Boolean).join('/')
      const file = byPath.get(`rust:${whole}`) ?? byPath.get(`rust:${whole}/main`)
      const tail = whole.split('/').slice(-MAX_TAIL).join('/')
      const below = (byTail.get(`rust:${tail}/`) ?? []).filter((one) => one.path.startsWith(whole))
      const found = [...(file ? [file] : []), ...(below.length <= MAX_FOLDER ? below : [])]
      if (found.length > 0 || parts.length === 0) return found
    }
    return []
  }

  function findData(module: string, from: FileScan): readonly FileScan[] {
    const path = module.replace(/^[@~#]\//, '')
    const paths = [resolvePath(from.path, module), path, `src/${path}`]
    return paths.flatMap((full) => data.get(full) ?? []).slice(0, 1)
  }

  /** The files of a package, of which Kotlin imports functions and constants. */
  function findPackage(parts: readonly string[]): readonly FileScan[] {
    for (let start = Math.max(0, parts.length - MAX_TAIL); start < parts.length - 1; start += 1) {
      const folder = byTail.get(`java:${parts.slice(start).join('/')}/`)
      if (folder && folder.length <= MAX_FOLDER) return folder
    }
    return []
  }

  /** A path below a folder of a name of its own: `@server/api/x`. Packages of a scope are none. */
  function findAlias(parts: readonly string[], from: FileScan): readonly FileScan[] {
    for (let start = 0; start < parts.length - 1 && start < 2; start += 1) {
      const found = nearest(byTail.get(`javascript:${parts.slice(start).join('/')}`) ?? [], from)
      if (found.length === 1) return found
    }
    return []
  }

  return {
    find,
    // Tests construct with made-up addresses.
    findAll: (name, from) =>
      (byName.get(`${from.language}:${name}`) ?? []).filter(({ path }) => !isTestPath(path)),
    findByName(name, from) {
      const all = byName.get(`${from.language}:${name}`) ?? []
      // What tests are given is their own.
      const isTest = all.length === 0 || isTestPath(from.path)
      const known = isTest ? all : all.filter(({ path }) => !isTestPath(path))
      const folder = folderOf(from.path)
      const near = known.filter(({ path }) => folderOf(path) === folder && path !== from.path)
      if (near.length === 1) return near
      if (from.language === 'rust' && known.length > 1) {
        // Modules below see what those around them have.
        const around = known.filter(({ path }) => folder.startsWith(folderOf(path)))
        return around.length === 1 ? around : []
      }
      const real = isTest ? all.filter(({ path }) => all.length < 2 || !isTestPath(path)) : known
      return real.length === 1 ? real : []
    },
  }
}

/** The files that share the most folders with a file. */
export function nearest(files: readonly FileScan[], { path }: FileScan): readonly FileScan[] {
  const parts = path.split('/')
  const shared = files.map((file) => {
    const others = file.path.split('/')
    const end = parts.findIndex((part, at) => part !== others[at])
    return end < 0 ? parts.length : end
  })
  const most = Math.max(...shared, 0)
  return files.filter((_, at) => shared[at] === most)
}

/** Whether a module is a file of data. */
export function isDataModule(module: string): boolean {
  return module.endsWith('.json')
}

/** Folders that are looked at of a path, from its end. */
const MAX_TAIL = 6
const MAX_SAME = 3
const MAX_FOLDER = 50

/** Returns a path as modules name it: without its extension, and a folder for its index. */
function moduleOf(path: string, extension = IMPORTED): string {
  return path.replace(extension, '').replace(/\/(?:index|__init__|mod|lib)$/, '')
}

/** Modules of the crate around. */
const OWN_CRATE = /^(?:crate|self|super)(?:\.|$)/

/** Returns the path of a module of Rust from its crate's folder: `my_crate/models`. */
function crateTail(parts: readonly string[]): string | undefined {
  const at = parts.lastIndexOf('src')
  const crate = parts[at - 1]?.replaceAll('-', '_')
  return crate && [crate, ...parts.slice(at + 1)].join('/')
}

const EXTENSION = /\.\w+$/

/** Extensions in the imports of languages that import files. */
const IMPORTED = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|rb|php)$/

function resolvePath(from: string, module: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of module.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The folder of a path, with a final slash. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function push(map: Map<string, FileScan[]>, key: string, file: FileScan): void {
  const known = map.get(key)
  if (!known) map.set(key, [file])
  else if (known.length < 100) known.push(file)
}
