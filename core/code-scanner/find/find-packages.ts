import { listStartedCommands } from '../commands/started-commands.ts'
import type { LanguageFamily } from '../model/language.ts'
import type { ImportUsage, PackageFinding, PackageUsage } from '../model/packages.ts'
import type { Binding, Import, Program } from '../model/program.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { findModelRouter } from '../packages/providers.ts'
import type { QualifiedPackage, QualifiedUsage } from '../packages/qualified-names.ts'
import type { AiImport } from './ai-usage.ts'
import { findEnvironmentChoice } from './environments.ts'

/** Knowledge of vendors' libraries. */
export interface PackageFinders {
  /** Returns the vendor's library of an imported module; undefined for others. */
  readonly findPackage?: ((usage: ImportUsage) => PackageUsage | undefined) | undefined
  /** Returns the vendor's library of a name that code uses without an import. */
  readonly findQualified?: ((usage: QualifiedUsage) => QualifiedPackage | undefined) | undefined
}

/** Finds vendors' libraries that a program imports or names, and the environments that it selects. */
export function findPackages(
  file: string,
  {
    program,
    family,
    finders: { findPackage, findQualified },
  }: {
    readonly program: Program
    readonly family: LanguageFamily
    readonly finders: PackageFinders
  },
) {
  const findings: PackageFinding[] = []
  const usages = new Map<string, PackageUsage>()
  const libraries: AiImport[] = []
  const add = (usage: PackageUsage, { module, place, needsDependency, family: of }: ImportedAt) => {
    const { url, package: name, isGuess } = usage
    usages.set(url, usage)
    if (usage.kind === 'ai-models') libraries.push({ url, module })
    findings.push({
      ...{ file, line: place.line, column: place.column, url, method: undefined, via: 'import' },
      ...{
        confidence: isGuess ? 0.6 : 0.9,
        package: name,
        import: { family: of ?? family, module },
        needsDependency,
      },
    })
  }
  const locals = new Map<string, ImportedLibrary>()
  const addImports = (imports: readonly Import[], of: LanguageFamily) => {
    const named = new Set<string>()
    const isEmulated = imports.some(({ module }) => /testcontainers/i.test(module))
    // The first import of a library; types alone call nothing.
    for (const { module, imported, local, place, isType } of imports) {
      const usage = findPackage?.({ family: of, module, imported })
      if (!usage || (isEmulated && EMULATED.test(usage.url))) continue
      const { url, package: name } = usage
      const path = `${module}.${imported}`
      const isKnown = named.has(`${name} ${url}`) || isType || ERRORS.test(path) || TYPES.test(path)
      if (of === 'shell' || !isKnown) add(usage, { module, place, family: of })
      else if (usage.kind === 'ai-models') libraries.push({ url, module })
      if (!isKnown) named.add(`${name} ${url}`)
      locals.set(local, { usage, module })
    }
  }
  addImports(program.imports, family)
  for (const { callee, place } of locals.size > 0 ? program.calls : []) {
    const found = locals.get(callee.replace(/^new /, '').split('.', 1)[0] ?? '')
    if (found && isConstruction(callee)) add(found.usage, { module: found.module, place })
  }
  if (family !== 'shell') addImports(listStartedCommands(program), 'shell')
  for (const { name, place } of findQualified ? listQualifiedNames(program) : []) {
    const usage = findQualified?.({ family, name })
    if (!usage || usages.has(usage.url)) continue
    add(usage, { module: name, place, needsDependency: usage.isSure ? undefined : true })
  }
  // Tests select environments independently.
  const chosen = isTestPath(file) ? [] : [...usages.values()]
  const environments = chosen.flatMap((usage) =>
    usage.environments ? (findEnvironmentChoice(program, usage) ?? []) : [],
  )
  const [router] = program.imports.flatMap((each) => {
    const name = findModelRouter(family, each.module)
    return name === undefined || onlyCounts(program, each) ? [] : name
  })
  return { findings, environments, libraries, router }
}

/** Whether a program imports the part of a library for models that counts costs, or only calls it. */
function onlyCounts({ calls }: Program, { module, imported, local }: Import): boolean {
  if (COUNTS.test(`${module}.${imported}`)) return true
  const called = calls.flatMap(({ callee }) => (callee.startsWith(`${local}.`) ? callee : []))
  return called.length > 0 && called.every((callee) => COUNTS.test(callee))
}

/** Functions that count tokens and costs of a model, and modules of helpers. */
const COUNTS =
  /[._](?:completion_cost|cost_per_token|cost_calculator|token_counter|model_cost|get_model_info|core_utils|types|exceptions)(?:\.|$)/

/** Whether a call creates a client of a library: `new AcmeClient`, `acme.NewClient`, `Acme.builder`. */
function isConstruction(callee: string): boolean {
  const [name = '', owner = ''] = callee.replace(/^new /, '').split('.').toReversed()
  const isOfModule = /^[a-z]/.test(owner) || CLIENT_NAME.test(owner)
  return CLIENT_NAME.test(name) || (FACTORY_NAME.test(name) && isOfModule)
}

const CLIENT_NAME =
  /^(?!With)(?:[A-Z]\w*)?(?:Client|Api|API|SDK|Sdk|Service|Server|Network|Bot|Gateway)s?(?:Builder)?$/

const FACTORY_NAME =
  /^(?:new|New|NewFromConfig|builder|newBuilder|from_conf|from_env|fromEnv|createClient)$/

/** Names of modules of errors and of their classes. */
const ERRORS = /[./\\](?:_?(?:errors?|exceptions?)(?:\.[A-Z]\w*)?|[A-Z]\w*(?:Error|Exception)s?)$/

/** Clouds that containers of tests emulate: MinIO, LocalStack, Azurite. */
const EMULATED = /amazonaws\.com|googleapis\.com|azure|\.windows\.net/

/** Names of modules of types: `openai.types.chat`. */
const TYPES = /[./]types(?:[./]|$)/

interface ImportedLibrary {
  readonly usage: PackageUsage
  readonly module: string
}

interface ImportedAt extends Pick<Import, 'module' | 'place'> {
  readonly needsDependency?: PackageFinding['needsDependency']
  /** The program's own by default. */
  readonly family?: LanguageFamily
}

/** Dotted names that a program calls, sets or includes, but does not declare, in order. */
function listQualifiedNames(program: Program): readonly Pick<Binding, 'name' | 'place'>[] {
  const own = new Set([
    ...program.imports.map(({ local }) => local),
    ...program.scopes.map(({ kind, name, namespace }) =>
      kind === 'class' && namespace === undefined ? name : '',
    ),
  ])
  const called = program.calls.map(({ callee, place }) => ({
    ...{ name: callee.replace(/^new /, ''), place },
  }))
  // Classes of Ruby include modules by their names.
  const included = program.imports.flatMap(({ module, place }) =>
    /^[A-Z]\w*(?:::|\.)/.test(module) ? { name: module.replaceAll('::', '.'), place } : [],
  )
  return [...called, ...included, ...program.bindings]
    .filter(({ name }) => name.includes('.') && !own.has(name.split('.', 1)[0] ?? ''))
    .sort((a, b) => a.place.index - b.place.index)
}
