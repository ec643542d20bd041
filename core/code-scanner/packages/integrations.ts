import type { PackageRow } from '../../vendors/package-rows.ts'
import { COMMON_WORDS } from '../model/common-words.ts'
import type { ImportUsage, PackageUsage } from '../model/packages.ts'

/** Finds the service that a module of a library for many services connects to. */
export type IntegrationFinder = (usage: ImportUsage) => PackageUsage | undefined

/**
 * Creates a finder for modules such as `media-kit/lib/providers/vimeo`, whose path names a vendor of
 * the rows. Names that are common words identify no vendor.
 */
export function createIntegrationFinder(rows: readonly PackageRow[]): IntegrationFinder {
  let names: ReadonlyMap<string, PackageRow> | undefined
  return ({ family, module }) => {
    const library = findLibrary(family, module)
    if (!library) return undefined
    const [, ...services] = library.path.slice(library.path.findIndex((part) => KIND.test(part)))
    names ??= indexNames(rows)
    for (const service of services.slice(0, 2)) {
      const row = toNames(service).flatMap((name) => names?.get(name) ?? [])[0]
      if (!row) continue
      const { url, kind } = row
      return { package: library.package, url, ...(kind && { kind }), isGuess: true }
    }
    return undefined
  }
}

/** The names by which a file of a project may name a service, in folders for many services. */
export function listIntegrationNames(path: string): readonly string[] {
  const [file = '', folder = '', parent = ''] = path.split('/').toReversed()
  return [
    ...(OWN_KIND.test(folder)
      ? [file.replace(/\..*$/, '').replace(/^(?:dns|notify)[-_]/, '')]
      : []),
    ...(OWN_KIND.test(parent) ? [folder] : []),
  ]
}

/** Folders of projects with a file or folder for each service: `notification-providers`. */
const OWN_KIND =
  /(?:^|[-_])(?:(?:notifier|notification|provider|integration|connector|channel|alerter|messenger)s?|notify|dns(?:api)?)$/i

/** Splits an imported module into a published library and the path of a service in it. */
function findLibrary(family: string, module: string) {
  const isGo = family === 'go'
  if (family !== 'javascript' && !isGo) return undefined
  const [, name = '', path = ''] = (isGo ? GO_MODULE : NPM_MODULE).exec(module) ?? []
  const parts = path.split('/')
  if (!parts.some((part) => KIND.test(part)) || OWN_FOLDERS.test(name)) return undefined
  return { package: `pkg:${isGo ? 'golang' : 'npm'}/${name}`, path: parts }
}

function indexNames(rows: readonly PackageRow[]): ReadonlyMap<string, PackageRow> {
  const names = new Map<string, PackageRow>()
  const add = (name: string, row: PackageRow) => {
    const key = toName(name)
    if (key.length >= MIN_NAME && !COMMON_WORDS.has(key) && !names.has(key)) names.set(key, row)
  }
  for (const row of rows) if (row.url.startsWith('https://{}.')) add(row.vendor, row)
  for (const row of rows) for (const name of row.logins ?? []) add(name, row)
  for (const row of rows) add(row.vendor, row)
  // `google` names a vendor of many services, not the one of models.
  const others = new Set(rows.flatMap(({ vendor, kind }) => (kind ? [] : vendor)))
  for (const row of rows) {
    const vendor = others.has(row.vendor) ? toName(row.vendor) : ''
    for (const name of row.providers ?? []) if (!vendor.startsWith(toName(name))) add(name, row)
  }
  return names
}

/** Possible names of a service, as a whole and by its first word: `twitch-clip`, `SlackProvider`. */
function toNames(part: string): readonly string[] {
  const bare = part.replace(/\.\w+$/, '').replace(SUFFIX, '')
  const [first = ''] = bare.split(/[-_]/)
  return [toName(bare), toName(first)]
}

function toName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const MIN_NAME = 5

/** Folders of libraries with a module for each service. */
const KIND = /^(?:provider|integration|connector|service|notifier)s?$|^strateg(?:y|ies)$/

const SUFFIX =
  /[-_]?(?:provider|integration|connector|service|notifier|strategy|client|oauth2?|api)$/i

const NPM_MODULE = /^(@[\w-]+\/[\w.-]+|[a-z][\w.-]*)\/(.+)$/

const GO_MODULE = /^([\w-]+(?:\.[\w-]+)+\/[\w.-]+\/[\w.-]+)\/(.+)$/

/** Aliases of a project's own folders: `src/providers/stripe`, `@app/lib/services/slack`. */
const OWN_FOLDERS = new RegExp(
  '^@?(?:src|apps?|libs?|core|common|shared|server|client|backend|frontend|api|web|modules?' +
    '|packages|utils?|features|components|pages|config|internal|root|main)(?:/|$)',
)
