import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Parser, Tree } from 'web-tree-sitter'
import { GRAMMARS } from '../../core/code-scanner/languages/languages.ts'
import type { Grammars, SyntaxNode, TreeLanguage } from '../../core/code-scanner/model/syntax.ts'
import {
  createRootNode,
  type GrammarNames,
  isTreeModule,
  readGrammarNames,
  type TreeModule,
} from './tree-nodes.ts'

/** Maximum parse time of a text, in milliseconds. */
const PARSE_MS = 2000

/** Memory of all grammars of a thread, in pages of 64 KiB. Texts that need more are not parsed. */
const MEMORY = { initial: 512, maximum: 4096 }

/** Folders of packages with grammars; the first that contains a grammar provides it. */
const FOLDERS = ['@vscode/tree-sitter-wasm/wasm', '@cursorless/tree-sitter-wasms/out']

/**
 * Loads the grammars of languages (web-tree-sitter with grammars of `@vscode/tree-sitter-wasm` and
 * `@cursorless/tree-sitter-wasms`). Undefined if a package is not installed.
 *
 * @example
 * ```ts
 * import { openGrammars } from 'api-discovery/scanner'
 * import { scanProject } from 'api-discovery/scans'
 *
 * const grammars = await openGrammars(['javascript'])
 * const files = [{ path: 'index.js', text: "fetch('https://api.example.com/v1/items')" }]
 * const { findings } = await scanProject({ files, catalogue, grammars })
 * ```
 */
export async function openGrammars(
  languages: Iterable<TreeLanguage>,
): Promise<Grammars | undefined> {
  const lazy = await openLazyGrammars()
  for (const language of languages) {
    if (!(await lazy?.load(language))) return undefined
  }
  return lazy
}

/** Grammars that are loaded on demand. */
export interface LazyGrammars extends Grammars {
  /** Languages that `parse` needed before they were loaded. */
  readonly missing: ReadonlySet<TreeLanguage>
  /** Loads a grammar; false if it is not available. */
  load(language: TreeLanguage): Promise<boolean>
}

/** Opens the library without grammars; undefined if it is not installed. */
export async function openLazyGrammars(): Promise<LazyGrammars | undefined> {
  const library = await openLibrary()
  if (!library) return undefined
  const { module } = library
  const parsers = new Map<TreeLanguage, LoadedGrammar>()
  const missing = new Set<TreeLanguage>()
  const absent = new Set<TreeLanguage>()
  let isBroken = false
  return {
    missing,
    async load(language) {
      missing.delete(language)
      if (parsers.has(language)) return true
      const loaded = await loadGrammar(library, language)
      if (loaded) parsers.set(language, loaded)
      else absent.add(language)
      return loaded !== undefined
    },
    parse(language, text) {
      if (isBroken) return undefined
      const known = parsers.get(language)
      if (!known) {
        if (!absent.has(language)) missing.add(language)
        return undefined
      }
      const { parser, names } = known
      const end = performance.now() + PARSE_MS
      let tree: Tree | null
      try {
        tree = parser.parse(text, undefined, { progressCallback: () => performance.now() > end })
      } catch (error) {
        // Out of memory: the parser is unusable from now on.
        isBroken = error instanceof WebAssembly.RuntimeError
        if (isBroken) loading.delete(language)
        throw error
      }
      if (!tree) {
        parser.reset()
        return undefined
      }
      const root: SyntaxNode = module
        ? createRootNode(tree, { module, names, text })
        : tree.rootNode
      return { root, free: () => tree.delete() }
    },
  }
}

interface LoadedGrammar {
  readonly parser: Parser
  readonly names: GrammarNames
}

/** Grammars of this thread: one that is loaded again takes memory that is never freed. */
const loading = new Map<TreeLanguage, Promise<LoadedGrammar | undefined>>()

/** Loads a grammar once per thread; undefined if it is not available. */
function loadGrammar(
  { Parser, Language }: TreeLibrary,
  language: TreeLanguage,
): Promise<LoadedGrammar | undefined> {
  const load = async () => {
    const wasm = await readGrammar(language)
    if (!wasm) return undefined
    const grammar = await Language.load(wasm)
    return { parser: new Parser().setLanguage(grammar), names: readGrammarNames(grammar) }
  }
  const known = loading.get(language) ?? load()
  loading.set(language, known)
  known.catch(() => loading.delete(language))
  return known
}

interface TreeLibrary extends Pick<typeof import('web-tree-sitter'), 'Parser' | 'Language'> {
  /** Undefined if other code initialised the library, or its version is unsupported. */
  readonly module: TreeModule | undefined
}

let opening: Promise<TreeLibrary | undefined> | undefined

/** Opens the library once per thread, because it has a single module. */
function openLibrary(): Promise<TreeLibrary | undefined> {
  const open = async () => {
    const library = await import('web-tree-sitter').catch(() => undefined)
    if (!library) return undefined
    const module: Partial<TreeModule> = { wasmMemory: new WebAssembly.Memory(MEMORY) }
    await library.Parser.init(module)
    const { Parser, Language } = library
    return { Parser, Language, module: isTreeModule(module) ? module : undefined }
  }
  opening ??= open()
  return opening
}

/** Describes the installed library and grammars: other ones may lead to other results. */
export function describeGrammars(): readonly string[] {
  const { resolve } = createRequire(import.meta.url)
  const describe = (read: () => string | number): string => {
    try {
      return `${read()}`
    } catch {
      return ''
    }
  }
  const grammars = FOLDERS.flatMap((folder) => [
    describe(() => readFileSync(resolve(`${folder}/../package.json`), 'utf8')),
    ...GRAMMARS.map((name) =>
      describe(() => statSync(resolve(`${folder}/tree-sitter-${name}.wasm`)).size),
    ),
  ])
  const library = () => join(dirname(resolve('web-tree-sitter')), 'package.json')
  return [describe(() => readFileSync(library(), 'utf8')), ...grammars]
}

/** Returns those grammars that no installed package contains. */
export function findMissingGrammars(languages: Iterable<TreeLanguage>): readonly TreeLanguage[] {
  return [...languages].filter((language) => findGrammar(language) === undefined)
}

async function readGrammar(language: TreeLanguage): Promise<Uint8Array | undefined> {
  const path = findGrammar(language)
  return path === undefined ? undefined : readFile(path)
}

/** Returns the path of a grammar; undefined if its package or the library is not installed. */
function findGrammar(language: TreeLanguage): string | undefined {
  const { resolve } = createRequire(import.meta.url)
  for (const folder of FOLDERS) {
    try {
      resolve('web-tree-sitter')
      const path = resolve(`${folder}/tree-sitter-${language}.wasm`)
      if (existsSync(path)) return path
    } catch {
      // The package is not installed, or does not contain the grammar.
    }
  }
  return undefined
}
