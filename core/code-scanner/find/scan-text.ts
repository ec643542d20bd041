import { indexRules, type RuleIndex } from '../clients/client-rules.ts'
import { lexicalClients } from '../clients/lexical.ts'
import { parseClients } from '../clients/parse-clients.ts'
import { findLanguage } from '../languages/languages.ts'
import { commentStyleOf } from '../languages/lexical/languages.ts'
import { lowerLexically } from '../languages/lexical/lower.ts'
import { mayContainApiUsage } from '../languages/prefilter.ts'
import type { ClientRows } from '../model/client-rows.ts'
import type { Candidate, Exported, FileScan } from '../model/file-scan.ts'
import type { SourceFile } from '../model/finding.ts'
import type { Language, LanguageFamily } from '../model/language.ts'
import { lastName } from '../model/name-patterns.ts'
import type {
  EnvironmentChoice,
  ImportUsage,
  PackageFinding,
  PackageUsage,
} from '../model/packages.ts'
import { ENVIRONMENT_LANGUAGE, fromText, hasReferences, hasScheme } from '../model/pattern.ts'
import type { ClientRule, Import, Place, Program } from '../model/program.ts'
import type { Grammars } from '../model/syntax.ts'
import type { DependencyFinder } from '../model/text-reader.ts'
import { isBuildWrapper, isTestData, isTestPath, isTextPath } from '../noise/path-roles.ts'
import { findOwnLibraries } from '../packages/own-clients.ts'
import { findModelRouter } from '../packages/providers.ts'
import type { QualifiedPackage, QualifiedUsage } from '../packages/qualified-names.ts'
import type { AiImport } from './ai-usage.ts'
import { findEnvironmentChoice } from './environments.ts'
import { READERS } from './readers.ts'
import { scanProgram } from './scan-program.ts'

/** What a scan of texts needs beside the texts. */
export interface ScanTextOptions extends DependencyFinder {
  /** Undefined where there are none: then only texts that need none are read. */
  readonly grammars: Grammars | undefined
  /** Vendor's library that an imported module belongs to; undefined for others. */
  readonly findPackage?: ((use: ImportUsage) => PackageUsage | undefined) | undefined
  /** The vendor's library of a name that code uses without an import. */
  readonly findQualified?: ((use: QualifiedUsage) => QualifiedPackage | undefined) | undefined
  /** Whether a text may use such a library; without it every text is parsed for its imports. */
  readonly mayImport?:
    | ((source: { readonly family: LanguageFamily; readonly text: string }) => boolean)
    | undefined
  /** Client libraries of the project file; they take precedence over the built-in ones. */
  readonly clients?: readonly ClientRows[] | undefined
}

/**
 * Scans one text: parses it, finds calls, URLs and bases as far as the text alone tells them, and
 * lets the text go. Undefined where the text says nothing. Its work is bounded; it never throws.
 */
export function scanText(file: SourceFile, options: ScanTextOptions): FileScan | undefined {
  if (isBuildWrapper(file.path)) return undefined
  const findings: PackageFinding[] = []
  const names = findOwnLibraries(file, options)
  const own = names.length === 0 ? {} : { own: names }
  const exports: Record<string, Exported> = {}
  for (const reader of READERS) {
    if (!reader.fits(file.path)) continue
    const isForPeople = isTextPath(file.path) || isTestData(file.path)
    const read = reader.read(file, options)
    findings.push(...(isForPeople ? read.filter(({ via }) => via === 'manifest') : read))
    for (const [name, text] of Object.entries(reader.names?.(file) ?? {})) {
      exports[name] = { text: fromText(text) }
    }
  }
  const language = findLanguage(file)
  const found = language && scanLanguage(file, { language, options, findings })
  const scripts = language ? scanScripts(file, { language, options, findings }) : []
  const scanned = found ?? (scripts.length > 0 ? NOTHING : undefined)
  if (language && scanned) {
    const all = [...scanned.candidates, ...scripts]
    const candidates = isTextPath(file.path)
      ? all.filter(({ via }) => via === 'call')
      : isTestPath(file.path)
        ? all.map(ofTest)
        : all
    return { ...scanned, candidates, path: file.path, language: language.family, findings, ...own }
  }
  const isEmpty = findings.length === 0 && Object.keys(exports).length === 0 && names.length === 0
  return isEmpty
    ? undefined
    : { ...NOTHING, path: file.path, language: ENVIRONMENT_LANGUAGE, findings, exports, ...own }
}

/** Addresses in tests are made up, as a rule; calls are what they say. */
function ofTest(one: Candidate): Candidate {
  return one.via === 'call' ? one : { ...one, needsCatalogue: true }
}

/** Longest line of a program: longer ones are made by programs, not by people. */
const MAX_LINE = 200_000

const NOTHING = { candidates: [], pending: [], references: [], exports: {}, reexports: [] } as const

function scanLanguage(
  file: SourceFile,
  given: {
    readonly language: Language
    readonly options: ScanTextOptions
    readonly findings: PackageFinding[]
  },
): Omit<FileScan, 'path' | 'language' | 'findings'> | undefined {
  const { language, findings } = given
  const text = language.prepare ? language.prepare(file.text) : file.text
  const clients = clientsOf(language.clients, given.options.clients)
  const isWorth =
    mayContainApiUsage(text, language) ||
    mayNameModel(text) ||
    clients.ownNames.some((name) => text.includes(name))
  if (!isWorth && !mayImport(text, given)) return undefined
  if (hasLongLine(text)) return undefined
  const program = parse(text, given)
  if (program) {
    const found = findPackages(file.path, { program, given })
    findings.push(...found.findings)
    return { ...scanProgram(program, clients, found), ...toChosen(found) }
  }
  // No grammar, or a text that it cannot read in time.
  const tokens = lowerLexically(text, commentStyleOf(file.path))
  const found = findPackages(file.path, { program: tokens, given })
  findings.push(...found.findings)
  return { ...scanProgram(tokens, clientsOf(lexicalClients), found), ...toChosen(found) }
}

/** URLs in the scripts of a page that a program renders, as far as the page alone has them. */
function scanScripts(
  file: SourceFile,
  given: Parameters<typeof scanLanguage>[1],
): readonly Candidate[] {
  const { embedded: language } = given.language
  if (!language || !file.text.includes('<script')) return []
  const found = scanLanguage(file, { ...given, language })
  return (found?.candidates ?? []).filter(({ url }) => hasScheme(url) && !hasReferences(url))
}

function toChosen({ environments }: { readonly environments: readonly EnvironmentChoice[] }) {
  return environments.length === 0 ? {} : { environments }
}

/** Whether a text may name a model of the vendors whose models are named most. */
function mayNameModel(text: string): boolean {
  return /["'](?:\w+[/:])?(?:gpt-\d|claude-\w|gemini-\d|text-embedding-\d)/.test(text)
}

function mayImport(
  text: string,
  given: { readonly language: Language; readonly options: ScanTextOptions },
): boolean {
  const { family } = given.language
  const { findPackage, mayImport } = given.options
  return findPackage !== undefined && (mayImport?.({ family, text }) ?? true)
}

function parse(
  text: string,
  given: { readonly language: Language; readonly options: ScanTextOptions },
): Program | undefined {
  const { grammar, lower } = given.language
  const tree = grammar && lower && given.options.grammars?.parse(grammar, text)
  if (!tree) return undefined
  try {
    return lower(tree.root)
  } catch (error) {
    // Nesting that no stack holds.
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    tree.free()
  }
}

function findPackages(
  path: string,
  {
    program,
    given,
  }: {
    readonly program: Program
    readonly given: { readonly language: Language; readonly options: ScanTextOptions }
  },
): {
  readonly findings: readonly PackageFinding[]
  readonly environments: readonly EnvironmentChoice[]
  readonly libraries: readonly AiImport[]
  readonly router: string | undefined
} {
  const found: PackageFinding[] = []
  const uses = new Map<string, PackageUsage>()
  const libraries: AiImport[] = []
  const { family } = given.language
  const add = (use: PackageUsage, { module, place }: Pick<Import, 'module' | 'place'>) => {
    uses.set(use.url, use)
    if (use.kind === 'ai-models') libraries.push({ url: use.url, module })
    const { line, column } = place
    const { url, package: name } = use
    const plain = { file: path, line, column, url, method: undefined, via: 'import' } as const
    found.push({ ...plain, confidence: 0.9, package: name, import: { family, module } })
  }
  for (const one of program.imports) {
    const { module, imported } = one
    const use = given.options.findPackage?.({ family, module, imported })
    if (use) add(use, one)
  }
  const { findQualified } = given.options
  const find = (name: string) => findQualified?.({ family, name })
  for (const { name, place, use } of findQualified ? qualifiedUsesOf(program, find) : []) {
    if (uses.has(use.url)) continue
    add(use, { module: name, place })
    const last = found.at(-1)
    if (last && !use.isSure) found.splice(-1, 1, { ...last, needsDependency: true })
  }
  // Tests choose for themselves.
  const environments = isTestPath(path)
    ? []
    : [...uses.values()].flatMap((use) =>
        use.environments ? (findEnvironmentChoice(program, use) ?? []) : [],
      )
  const [router] = program.imports.flatMap(({ module }) => findModelRouter(family, module) ?? [])
  return { findings: found, environments, libraries, router }
}

interface QualifiedUse<Use> {
  readonly name: string
  readonly place: Place
  readonly use: Use
}

/** Known names with dots that the program calls or sets, but neither imports nor declares. */
function qualifiedUsesOf<Use>(
  program: Program,
  find: (name: string) => Use | undefined,
): readonly QualifiedUse<Use>[] {
  const own = new Set([
    ...program.imports.map(({ local }) => local),
    ...program.scopes.map(({ kind, name }) => (kind === 'class' ? name : '')),
  ])
  const names = [
    ...program.calls.map(({ callee, place }) => ({ name: callee.replace(/^new /, ''), place })),
    ...program.bindings,
  ]
  return names
    .flatMap(({ name, place }) => {
      const use = name.includes('.') ? find(name) : undefined
      return use && !own.has(name.split('.', 1)[0] ?? '') ? [{ name, place, use }] : []
    })
    .sort((a, b) => a.place.index - b.place.index)
}

function hasLongLine(text: string): boolean {
  if (text.length < MAX_LINE) return false
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    if (stop - start > MAX_LINE) return true
    start = stop + 1
  }
  return false
}

/** Parsed rows, by those of the project and then those of the language, which never change. */
const PARSED = new WeakMap<readonly ClientRows[], WeakMap<readonly ClientRows[], Clients>>()

const NO_ROWS: readonly ClientRows[] = []

interface Clients {
  readonly rules: readonly ClientRule[]
  readonly index: RuleIndex
  /** Names that calls of the project's own clients end in. */
  readonly ownNames: readonly string[]
}

function clientsOf(rows: readonly ClientRows[], ownRows = NO_ROWS): Clients {
  const parsed = PARSED.get(ownRows) ?? new WeakMap<readonly ClientRows[], Clients>()
  PARSED.set(ownRows, parsed)
  const known = parsed.get(rows)
  if (known) return known
  const own = parseClients(ownRows)
  const rules = [...own, ...parseClients(rows)]
  const ownNames = [...new Set(own.map(({ callee }) => lastName(callee)))]
  const clients = { rules, index: indexRules(rules), ownNames }
  parsed.set(rows, clients)
  return clients
}
