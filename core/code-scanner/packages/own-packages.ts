import type { SourceFile } from '../model/finding.ts'
import type { LanguageFamily } from '../model/language.ts'
import type { OwnName, PackageFinding } from '../model/packages.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { parsePackageUrl, toPackageKey, withoutVersion } from './package-urls.ts'
import { findByPrefix } from './qualified-names.ts'
import { toImportKey } from './table.ts'

/** Finds the names that a file declares, by its path and text, without parsing it. */
export function findOwnNames({ path, text }: SourceFile): readonly OwnName[] {
  const reader = READERS.find(({ paths }) => paths.test(path))
  if (!reader) return []
  const declared = reader.read({ path, text: text.slice(0, MAX_TEXT) })
  return declared.map((own) => ({
    family: reader.family,
    ...(typeof own === 'string' ? { name: own } : own),
  }))
}

/** Whether a file may declare names of the project, by its path. */
export function mayDeclareNames(path: string): boolean {
  return READERS.some(({ paths }) => paths.test(path))
}

/** Distinguishes a project's own packages from vendors' libraries. */
export interface Ownership {
  /** Whether an import or dependency names a package of the project. */
  owns(finding: PackageFinding): boolean
}

/** Collects the names that the files of a project declare. */
export function createOwnership(
  files: readonly {
    readonly own?: readonly OwnName[] | undefined
    readonly findings: readonly PackageFinding[]
  }[],
): Ownership {
  const folders = indexFolders(files.flatMap(({ own = [] }) => own))
  if (folders.size === 0) return { owns: () => false }
  const dependencies = new Set(
    files.flatMap(({ findings }) =>
      findings.flatMap((found) =>
        found.via === 'manifest' && found.package ? [toPackageKey(found.package)] : [],
      ),
    ),
  )
  const hasWorkspaces = folders.has(`javascript:${WORKSPACES}`)

  /** Whether the project depends on the vendor's library of the same name. */
  function isShadowed(family: LanguageFamily, found: PackageFinding): boolean {
    if (!NAMED_BY_DEPENDENCY.has(family) || (family === 'javascript' && hasWorkspaces)) return false
    return dependencies.has(toPackageKey(found.package ?? ''))
  }

  /** Whether all modules below a name belong to the project. */
  function isPrefix(family: LanguageFamily, name: string): boolean {
    if (name.split('.').length < (MIN_PARTS.get(family) ?? 1)) return false
    // A dependency with this groupId shares the name with the project.
    return (
      family !== 'java' ||
      ![...dependencies].some((each) =>
        `${each.replaceAll('/', '.')}.`.includes(`:maven.${name.toLowerCase()}.`),
      )
    )
  }

  function isOwn(family: LanguageFamily, { module, file }: { module: string; file: string }) {
    const key = toImportKey({ family, module })
    const found = findByPrefix(key, (name) => {
      const known = folders.get(`${family}:${name}`) ?? []
      if (![...known].some((folder) => file.startsWith(folder))) return undefined
      // Java imports the classes of a package individually.
      const isClass = family === 'java' && !key.includes('.', name.length + 1)
      return name === key || isClass || isPrefix(family, name) || undefined
    })
    return found === true
  }

  return {
    owns(found) {
      const { file } = found
      if (found.import) {
        const { family, module } = found.import
        return isOwn(family, { module, file }) && !isShadowed(family, found)
      }
      if (found.via !== 'manifest') return false
      const { family, name = '' } = parsePackageUrl(withoutVersion(found.package ?? '')) ?? {}
      // In JavaScript, only workspaces list the project's packages as dependencies.
      const isNamed = family === 'go' || family === 'rust'
      if (!isNamed && !(family === 'javascript' && hasWorkspaces)) return false
      return isOwn(family, { module: name, file })
    },
  }
}

/** The folders in which each name is declared, by `family:name`. */
function indexFolders(declared: readonly OwnName[]): ReadonlyMap<string, ReadonlySet<string>> {
  const pythonPackages = new Set(
    declared.map(({ family, name, folder }) => (family === 'python' ? `${folder}${name}/` : '')),
  )
  const folders = new Map<string, Set<string>>()
  for (const { family, name, folder = '', packageUrl } of declared) {
    // In these languages, the name of a package is no name of a module.
    if (packageUrl && (family === 'python' || family === 'php')) continue
    // A nested package is imported by both names.
    if (family === 'python' && pythonPackages.has(folder)) continue
    const key = `${family}:${toImportKey({ family, module: name })}`
    folders.set(key, (folders.get(key) ?? new Set()).add(folder.replace(SOURCE_ROOT, '')))
  }
  return folders
}

/** Maximum number of characters that are read of a file. */
const MAX_TEXT = 100_000

/** Marks a `package.json` with workspaces; no package has this name. */
export const WORKSPACES = '<workspaces>'

/** Files outside this folder, such as tests, import its packages too. */
export const SOURCE_ROOT = /(?:^|(?<=\/))src\/$/

/** Languages in which an own top-level name may equal a dependency's, which then takes precedence. */
const NAMED_BY_DEPENDENCY: ReadonlySet<string> = new Set(['javascript', 'python', 'ruby', 'rust'])

/** Minimum number of parts of an own prefix; shorter prefixes belong to a whole vendor. */
const MIN_PARTS: ReadonlyMap<string, number> = new Map([
  ['java', 3],
  ['c-sharp', 2],
  ['php', 2],
])

type Declared = string | Omit<OwnName, 'family'>

interface Reader {
  readonly paths: RegExp
  readonly family: LanguageFamily
  readonly read: (file: SourceFile) => readonly Declared[]
}

/** The first row that fits a path counts. */
const READERS: readonly Reader[] = [
  toReader('java', '*.{java,kt,scala,groovy}', byPattern(/^[ \t]*package[ \t]+([\w.]+)/m)),
  toReader('java', 'pom.xml', readPom),
  toReader(
    'java',
    '*.{gradle,gradle.kts}',
    byPattern(/^[ \t]*(?:group|namespace)[ \t]*=?[ \t]*["']([\w.]+)["']/gm),
  ),
  toReader(
    'php',
    '*.php',
    byPattern(/^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)[ \t]*[;{]/gm),
  ),
  toReader('php', 'composer.json', readComposer),
  toReader('c-sharp', '*.cs', byPattern(/^[ \t]*namespace[ \t]+([\w.]+)/gm)),
  toReader('c-sharp', '*.{cs,fs,vb}proj', byPattern(/<RootNamespace>\s*([\w.]+)\s*</g)),
  toReader('go', 'go.mod', readGoModule),
  toReader('javascript', 'package.json', readPackageJson),
  // Aliases of folders: `"@acme/api/*": ["apps/api/*"]`.
  toReader(
    'javascript',
    '{ts,js}config{,.*}.json',
    byPattern(/"(@?[\w.-]+(?:\/[\w.-]+){0,3})\/\*"\s*:\s*\[/g),
  ),
  toReader('python', '__init__.py', readPythonPackage),
  toReader('python', '{pyproject.toml,setup.py,setup.cfg}', readPythonManifest),
  toReader('rust', 'Cargo.toml', readCargo),
  toReader('ruby', '*.gemspec', readGemspec),
]

function toPackage(type: string, name: string): Omit<OwnName, 'family'> {
  return { name, packageUrl: `pkg:${type}/${name}` }
}

function toReader(family: LanguageFamily, paths: string, read: Reader['read']): Reader {
  return { family, paths: matchPaths(paths), read }
}

/** Reads the first match of a pattern, or all matches of a global one. */
function byPattern(pattern: RegExp): Reader['read'] {
  return ({ text }) => {
    const matches = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)]
    return [...new Set(matches.flatMap((match) => match?.[1] ?? []))]
  }
}

/** Reads the project's `groupId`, else that of its parent. */
function readPom({ text }: SourceFile): readonly string[] {
  let section: string | undefined
  let own: string | undefined
  let parent: string | undefined
  for (const [, slash, tag, groupId] of text.matchAll(POM_PARTS)) {
    if (groupId !== undefined) {
      if (section === undefined) own ??= groupId
      else if (section === 'parent') parent ??= groupId
    } else if (slash === '') section ??= tag
    else if (tag === section) section = undefined
  }
  const name = own ?? parent
  return name === undefined ? [] : [name]
}

/** Group ids, and sections of a POM with group ids that are not the project's. */
const POM_PARTS =
  /<(\/?)(dependencies|dependencyManagement|build|profiles|reporting|parent)>|<groupId>\s*([\w.-]+)\s*<\/groupId>/g

/** Reads namespaces of PSR-4 and PSR-0. */
function readComposer({ text }: SourceFile): readonly Declared[] {
  const value = parseJson(text)
  const own = typeof value.name === 'string' ? [toPackage('composer', value.name)] : []
  const sections = [value.autoload, value['autoload-dev']].map(toObject)
  const maps = sections.flatMap((section) => [section['psr-4'], section['psr-0']])
  const names = maps.flatMap((map) => Object.keys(toObject(map)))
  return [...own, ...names.map((name) => name.replace(/\\$/, ''))]
}

function readPackageJson({ text }: SourceFile): readonly Declared[] {
  const { name, workspaces } = parseJson(text)
  const own = typeof name === 'string' && name !== '' ? [toPackage('npm', name)] : []
  return workspaces === undefined ? own : [...own, WORKSPACES]
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    // An unreadable file declares nothing.
    return {}
  }
}

/** Reads the folder as a package, for files in its parent folder. */
function readPythonPackage({ path }: SourceFile): readonly Declared[] {
  const [, folder = '', name = ''] = /^((?:.*\/)?)([^/]+)\/__init__\.py$/.exec(path) ?? []
  return name === '' || isTestPath(path) ? [] : [{ name, folder }]
}

/** Reads the name of a distribution, which may differ from the names of its modules. */
function readPythonManifest({ text }: SourceFile): readonly Declared[] {
  const name = /^[ \t]*name[ \t]*=[ \t]*["']?([\w.-]+)/m.exec(text)?.[1]
  return name === undefined ? [] : [toPackage('pypi', name)]
}

function readGoModule({ text }: SourceFile): readonly Declared[] {
  const name = /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(text)?.[1]
  return name === undefined ? [] : [toPackage('golang', name)]
}

function readCargo({ text }: SourceFile): readonly Declared[] {
  const sections = text.matchAll(
    /^[ \t]*\[(?:package|lib)\][^[]*?^[ \t]*name[ \t]*=[ \t]*"([\w-]+)"/gm,
  )
  return [...sections].map(([, name = '']) => ({
    ...toPackage('cargo', name),
    name: name.replaceAll('-', '_'),
  }))
}

function readGemspec({ text }: SourceFile): readonly Declared[] {
  const name = /^[ \t]*\w+\.name[ \t]*=[ \t]*['"]([\w.-]+)['"]/m.exec(text)?.[1]
  if (name === undefined) return []
  return [toPackage('gem', name), name.replaceAll('-', '/'), name.replaceAll('-', '_')]
}
