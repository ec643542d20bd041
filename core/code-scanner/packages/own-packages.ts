import type { SourceFile } from '../model/finding.ts'
import type { LanguageFamily } from '../model/language.ts'
import type { OwnName, PackageFinding } from '../model/packages.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { toImportKey } from './table.ts'

/** Finds the names that a file declares: by its path and text, without parsing it. */
export function findOwnNames({ path, text }: SourceFile): readonly OwnName[] {
  const reader = READERS.find(({ fits }) => fits.test(path))
  if (!reader) return []
  const { family, read } = reader
  const head = text.slice(0, MAX_TEXT)
  return read({ path, text: head }).map((own) =>
    typeof own === 'string' ? { family, name: own } : { family, ...own },
  )
}

/** Tells a project's own packages from vendors' libraries. */
export interface Ownership {
  /** Whether an import or dependency names a package of the project. */
  owns(finding: PackageFinding): boolean
}

/** Gathers the names that the files of a project declare. */
export function createOwnership(
  files: readonly {
    readonly own?: readonly OwnName[] | undefined
    readonly findings: readonly PackageFinding[]
  }[],
): Ownership {
  const declared = files.flatMap(({ own = [] }) => own)
  const pythonPackages = new Set(
    declared.map(({ family, name, folder }) => (family === 'python' ? `${folder}${name}/` : '')),
  )
  const folders = new Map<string, Set<string>>()
  for (const { family, name, folder = '' } of declared) {
    // A package in a package goes by the names of both.
    if (family === 'python' && pythonPackages.has(folder)) continue
    const key = `${family}:${toImportKey({ family, module: name })}`
    folders.set(key, (folders.get(key) ?? new Set()).add(folder.replace(SOURCE_ROOT, '')))
  }
  if (folders.size === 0) return { owns: () => false }
  const dependencies = new Set(
    files.flatMap(({ findings }) =>
      findings.flatMap((found) =>
        found.via === 'manifest' && found.package ? [toBarePackage(found.package)] : [],
      ),
    ),
  )
  const hasWorkspaces = folders.has(`javascript:${WORKSPACES}`)

  /** Whether a name stands for the vendor's library all the same: the project depends on it. */
  function isShadowed(family: LanguageFamily, found: PackageFinding): boolean {
    if (!NAMED_BY_DEPENDENCY.has(family) || (family === 'javascript' && hasWorkspaces)) return false
    return dependencies.has(toBarePackage(found.package ?? ''))
  }

  /** Whether everything below a name is the project's. */
  function isPrefix(family: LanguageFamily, name: string): boolean {
    if (name.split('.').length < (MIN_PARTS.get(family) ?? 1)) return false
    // A groupId of a dependency holds the vendor's packages, not the project's alone.
    return (
      family !== 'java' ||
      ![...dependencies].some((each) =>
        `${each.replaceAll('/', '.')}.`.includes(`:maven.${name.toLowerCase()}.`),
      )
    )
  }

  function isOwn(family: LanguageFamily, { key, file }: { key: string; file: string }): boolean {
    for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) {
      const name = key.slice(0, end)
      const known = folders.get(`${family}:${name}`)
      if (!known || ![...known].some((folder) => file.startsWith(folder))) continue
      // Java imports the classes of a package, one by one.
      const isClass = family === 'java' && !key.includes('.', end + 1)
      if (end === key.length || isClass || isPrefix(family, name)) return true
    }
    return false
  }

  return {
    owns(found) {
      if (found.via === 'manifest') {
        const [, ecosystem = '', module = ''] =
          /^pkg:(npm|golang|cargo)\/(.+?)(?:@[^@/]*)?$/.exec(found.package ?? '') ?? []
        const family = FAMILIES.get(ecosystem)
        // Only a workspace names what lies beside it like any other dependency.
        if (!family || (family === 'javascript' && !hasWorkspaces)) return false
        return isOwn(family, { key: toImportKey({ family, module }), file: found.file })
      }
      if (!found.import) return false
      const { family } = found.import
      const isKnown = isOwn(family, { key: toImportKey(found.import), file: found.file })
      return isKnown && !isShadowed(family, found)
    },
  }
}

/** Characters of a file that are read. */
const MAX_TEXT = 100_000

/** Stands for a `package.json` with workspaces; no package is called so. */
const WORKSPACES = '<workspaces>'

const FAMILIES: ReadonlyMap<string, LanguageFamily> = new Map([
  ['npm', 'javascript'],
  ['golang', 'go'],
  ['cargo', 'rust'],
])

/** What lies below it is imported from beside it, as by tests. */
const SOURCE_ROOT = /(?:^|(?<=\/))src\/$/

/** Languages whose own top-level names may be those of a dependency, which is meant then. */
const NAMED_BY_DEPENDENCY: ReadonlySet<LanguageFamily> = new Set([
  'javascript',
  'python',
  'ruby',
  'rust',
])

/** Parts of a name from which on all below it is the project's: shorter ones are a whole vendor's. */
const MIN_PARTS: ReadonlyMap<LanguageFamily, number> = new Map([
  ['java', 3],
  ['c-sharp', 2],
  ['php', 2],
])

type Declared = string | Omit<OwnName, 'family'>

interface Reader {
  readonly fits: RegExp
  readonly family: LanguageFamily
  readonly read: (file: SourceFile) => readonly Declared[]
}

/** The first row that fits a path counts. */
const READERS: readonly Reader[] = [
  {
    fits: /\.(?:java|kt|scala|groovy)$/,
    family: 'java',
    read: byPattern(/^[ \t]*package[ \t]+([\w.]+)/m),
  },
  { fits: /(?:^|\/)pom\.xml$/, family: 'java', read: readPom },
  {
    fits: /\.gradle(?:\.kts)?$/,
    family: 'java',
    read: byPattern(/^[ \t]*(?:group|namespace)[ \t]*=?[ \t]*["']([\w.]+)["']/gm),
  },
  {
    fits: /\.php$/,
    family: 'php',
    read: byPattern(/^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)[ \t]*[;{]/gm),
  },
  { fits: /(?:^|\/)composer\.json$/, family: 'php', read: readComposer },
  { fits: /\.cs$/, family: 'c-sharp', read: byPattern(/^[ \t]*namespace[ \t]+([\w.]+)/gm) },
  {
    fits: /\.(?:cs|fs|vb)proj$/,
    family: 'c-sharp',
    read: byPattern(/<RootNamespace>\s*([\w.]+)\s*</g),
  },
  { fits: /(?:^|\/)go\.mod$/, family: 'go', read: byPattern(/^[ \t]*module[ \t]+"?([^\s"]+)/m) },
  { fits: /(?:^|\/)package\.json$/, family: 'javascript', read: readPackageJson },
  { fits: /(?:^|\/)__init__\.py$/, family: 'python', read: readPythonPackage },
  { fits: /(?:^|\/)Cargo\.toml$/, family: 'rust', read: readCargo },
  { fits: /\.gemspec$/, family: 'ruby', read: readGemspec },
]

function byPattern(pattern: RegExp): Reader['read'] {
  const all = pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`)
  const isOnce = !pattern.global
  return ({ text }) => {
    const names = [...text.matchAll(all)].flatMap(([, name]) => name ?? [])
    return isOnce ? names.slice(0, 1) : [...new Set(names)]
  }
}

/** The project's `groupId`, else that of its parent. */
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

/** Sections of a POM with group ids that are not the project's, and group ids. */
const POM_PARTS =
  /<(\/?)(dependencies|dependencyManagement|build|profiles|reporting|parent)>|<groupId>\s*([\w.-]+)\s*<\/groupId>/g

/** Namespaces of PSR-4 and PSR-0. */
function readComposer({ text }: SourceFile): readonly string[] {
  const value = parseJson(text)
  const sections = [value.autoload, value['autoload-dev']].map(toObject)
  const maps = sections.flatMap((section) => [section['psr-4'], section['psr-0']])
  return maps.flatMap((map) => Object.keys(toObject(map)).map((name) => name.replace(/\\$/, '')))
}

function readPackageJson({ text }: SourceFile): readonly string[] {
  const value = parseJson(text)
  const name = typeof value.name === 'string' && value.name !== '' ? [value.name] : []
  return value.workspaces === undefined ? name : [...name, WORKSPACES]
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    // A file that nobody can read declares nothing.
    return {}
  }
}

/** The folder as a package, for the files beside it and below. */
function readPythonPackage({ path }: SourceFile): readonly Declared[] {
  const [, folder = '', name = ''] = /^((?:.*\/)?)([^/]+)\/__init__\.py$/.exec(path) ?? []
  return name === '' || isTestPath(path) ? [] : [{ name, folder }]
}

function readCargo({ text }: SourceFile): readonly string[] {
  const sections = text.matchAll(
    /^[ \t]*\[(?:package|lib)\][^[]*?^[ \t]*name[ \t]*=[ \t]*"([\w-]+)"/gm,
  )
  return [...sections].map(([, name = '']) => name.replaceAll('-', '_'))
}

function readGemspec({ text }: SourceFile): readonly string[] {
  const name = /^[ \t]*\w+\.name[ \t]*=[ \t]*['"]([\w.-]+)['"]/m.exec(text)?.[1]
  return name === undefined ? [] : [name, name.replaceAll('-', '/'), name.replaceAll('-', '_')]
}

/** `pkg:npm/@acme/sdk` of `pkg:npm/@acme/sdk@1.2.0`. */
function toBarePackage(packageUrl: string): string {
  return packageUrl.replace(/(?<=[^/])@[^@/]*$/, '').toLowerCase()
}
