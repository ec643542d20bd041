import { indexRules, type RuleIndex } from '../clients/client-rules.ts'
import { lexicalClients } from '../clients/lexical.ts'
import { parseClients } from '../clients/parse-clients.ts'
import { mayStartCommand } from '../commands/started-commands.ts'
import { removeImported, removeSettings } from '../config/credentials.ts'
import { findLanguage } from '../languages/languages.ts'
import { commentStyleOf } from '../languages/lexical/languages.ts'
import { lowerLexically } from '../languages/lexical/lower.ts'
import { mayContainApiUsage } from '../languages/prefilter.ts'
import type { ClientRows } from '../model/client-rows.ts'
import type { Candidate, Exported, FileScan } from '../model/file-scan.ts'
import type { SourceFile } from '../model/finding.ts'
import type { Language, LanguageFamily } from '../model/language.ts'
import { lastName } from '../model/name-patterns.ts'
import type { PackageFinding } from '../model/packages.ts'
import { ENVIRONMENT_LANGUAGE, fromText, hasReferences, hasScheme } from '../model/pattern.ts'
import type { ClientRule, Program } from '../model/program.ts'
import type { Grammars } from '../model/syntax.ts'
import type { DependencyFinder } from '../model/text-reader.ts'
import {
  findFileRole,
  findGenerators,
  isBuildWrapper,
  isTestData,
  isTextPath,
} from '../noise/path-roles.ts'
import { findOwnLibraries } from '../packages/own-clients.ts'
import { findOwnSites, type OwnSites } from '../packages/own-hosts.ts'
import { findPackages, type PackageFinders } from './find-packages.ts'
import { READERS } from './readers.ts'
import { scanProgram } from './scan-program.ts'
import { findFileVendor } from './vendor-namer.ts'

/** Knowledge for scans of texts. */
export interface ScanTextOptions extends DependencyFinder, PackageFinders {
  /** If undefined, only texts that need no grammar are read. */
  readonly grammars: Grammars | undefined
  /** Whether a text may use such a library; without it, every text is parsed for its imports. */
  readonly mayImport?:
    | ((source: { readonly family: LanguageFamily; readonly text: string }) => boolean)
    | undefined
  /** Client libraries of the project file; they take precedence over the built-in ones. */
  readonly clients?: readonly ClientRows[] | undefined
}

/**
 * Scans one text for calls, URLs and bases, without knowledge of other files. Returns undefined if
 * it contains none. The work is bounded; never throws.
 */
export function scanText(file: SourceFile, options: ScanTextOptions): FileScan | undefined {
  const { path } = file
  if (isBuildWrapper(path)) return undefined
  const stated: PackageFinding[] = []
  const exports: Record<string, Exported> = {}
  for (const reader of READERS) {
    if (!reader.fits(path)) continue
    const isForPeople = isTextPath(path) || isTestData(path)
    const read = reader.read(file, options)
    stated.push(...(isForPeople ? read.filter(({ via }) => via === 'manifest') : read))
    for (const [name, text] of Object.entries(reader.names?.(file) ?? {})) {
      exports[name] = { value: fromText(text) }
    }
  }
  const findings = removeSettings(stated)
  const own = findOwn(file, options)
  const found = findLanguage(file)
  // A build file with settings is no program, unlike a script that sets variables.
  const isProgram = Object.keys(exports).length === 0 || found?.family === 'shell'
  const language = isProgram ? found : undefined
  const program = language && scanLanguage(file, { language, options })
  const scripts = language && scanScripts(file, { language, options })
  const scanned = program ?? (scripts && { ...NOTHING, findings: [] })
  if (language && scanned) {
    const imported = [...scanned.findings, ...(scripts?.findings ?? [])]
    const settings = removeImported(language, { findings, imported })
    const all = [...scanned.candidates, ...(scripts?.candidates ?? [])]
    const candidates = selectCandidates(path, all)
    return {
      ...scanned,
      candidates,
      path,
      language: language.family,
      findings: [...settings, ...imported],
      ...own,
    }
  }
  if (findings.length === 0 && Object.keys(exports).length === 0 && !own) return undefined
  return { ...NOTHING, path, language: ENVIRONMENT_LANGUAGE, findings, exports, ...own }
}

/** Finds what a file tells about the project itself; undefined if that is nothing. */
function findOwn(
  file: SourceFile,
  options: ScanTextOptions,
): Pick<FileScan, 'own' | 'generators' | keyof OwnSites> | undefined {
  const generators = findGenerators(file)
  const found = { own: findOwnLibraries(file, options), generators, ...findOwnSites(file) }
  return Object.values(found).some((list) => list.length > 0) ? found : undefined
}

const NOTHING = {
  candidates: [],
  externalCalls: [],
  references: [],
  exports: {},
  reexports: [],
} as const

/** Texts for people only contain calls. URLs in tests are usually made up. */
function selectCandidates(path: string, all: readonly Candidate[]): readonly Candidate[] {
  if (isTextPath(path)) return all.filter(({ via }) => via === 'call')
  if (findFileRole(path) !== 'test') return all
  return all.map((candidate) =>
    candidate.via === 'call' ? candidate : { ...candidate, needsCatalogue: true },
  )
}

interface LanguageOptions {
  readonly language: Language
  readonly options: ScanTextOptions
}

function scanLanguage(
  file: SourceFile,
  { language, options }: LanguageOptions,
): Omit<FileScan, 'path' | 'language'> | undefined {
  const text = language.prepare ? language.prepare(file.text) : file.text
  const clients = readClients(language.clients, options.clients)
  const mayContainUsage =
    mayContainApiUsage({ path: file.path, text }, language) ||
    MODEL_NAME.test(text) ||
    findFileVendor(file.path) !== undefined ||
    clients.ownNames.some((name) => text.includes(name)) ||
    mayImport(text, { language, options })
  if (!mayContainUsage || hasLongLine(text)) return undefined
  const tree = parse(text, { language, options })
  // Without a grammar, or if parsing takes too long.
  const program = tree ?? lowerLexically(text, commentStyleOf(file.path))
  const { findings, environments, ...ai } = findPackages(file.path, {
    program,
    family: language.family,
    finders: options,
  })
  return {
    ...scanProgram(program, tree ? clients : readClients(lexicalClients), {
      path: file.path,
      language: language.family,
      ...ai,
    }),
    ...(environments.length > 0 && { environments }),
    findings,
  }
}

/** Scans the scripts of a page that a program renders, or of a workflow, for complete URLs. */
function scanScripts(file: SourceFile, { language, options }: LanguageOptions) {
  const { embedded } = language
  if (!embedded || !/<script|github-script@/.test(file.text)) return undefined
  const found = scanLanguage(file, { language: embedded, options })
  if (!found) return undefined
  const { candidates, findings } = found
  const whole = candidates.filter(({ url }) => hasScheme(url) && !hasReferences(url))
  return whole.length > 0 || findings.length > 0 ? { candidates: whole, findings } : undefined
}

/** A quoted name of a model of a common provider. */
const MODEL_NAME = /["'](?:\w+[/:])?(?:gpt-\d|claude-\w|gemini-\d|text-embedding-\d)/

function mayImport(text: string, { language, options }: LanguageOptions): boolean {
  const { findPackage, mayImport } = options
  if (findPackage === undefined) return false
  const isTool = (module: string) => findPackage({ family: 'shell', module }) !== undefined
  return (mayImport?.({ family: language.family, text }) ?? true) || mayStartCommand(text, isTool)
}

function parse(text: string, { language, options }: LanguageOptions): Program | undefined {
  const { grammar, lower } = language
  const tree = grammar && lower && options.grammars?.parse(grammar, text)
  if (!tree) return undefined
  try {
    return lower(tree.root)
  } catch (error) {
    // The nesting exceeds the stack.
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    tree.free()
  }
}

/** Maximum length of a line; longer ones are generated. */
const MAX_LINE = 200_000

function hasLongLine(text: string): boolean {
  return text.length >= MAX_LINE && text.split('\n').some((line) => line.length > MAX_LINE)
}

/** Parsed rows, by those of the project and then those of the language, which never change. */
const PARSED = new WeakMap<readonly ClientRows[], WeakMap<readonly ClientRows[], Clients>>()

const NO_ROWS: readonly ClientRows[] = []

interface Clients {
  readonly rules: readonly ClientRule[]
  readonly index: RuleIndex
  /** Last names of calls of the project's own clients. */
  readonly ownNames: readonly string[]
}

function readClients(rows: readonly ClientRows[], ownRows = NO_ROWS): Clients {
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
