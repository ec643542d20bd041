import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Parser, Tree } from 'web-tree-sitter'
import type { Grammars, SyntaxNode, TreeLanguage } from '../../core/scans/project/syntax.ts'
import { type GrammarNames, isTreeModule, namesOf, rootOf, type TreeModule } from './tree-nodes.ts'

/** Longest that one text may take to be parsed. */
const PARSE_MS = 2000

/** Memory of all grammars of a thread, in pages of 64 KiB; a text that needs more is not parsed. */
const MEMORY = { initial: 512, maximum: 4096 }

/** Files of the grammars, where they are not named after the language. */
const FILES: Partial<Record<TreeLanguage, string>> = { shell: 'bash' }

/**
 * Opens the grammars of the given languages (web-tree-sitter with the grammars of
 * `@vscode/tree-sitter-wasm`). Undefined where these packages are not installed.
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

/** Grammars that are loaded when they are first needed. */
export interface LazyGrammars extends Grammars {
  /** Languages that `parse` was asked for before they were loaded. */
  readonly missing: ReadonlySet<TreeLanguage>
  /** Loads a grammar; false where there is none. */
  load(language: TreeLanguage): Promise<boolean>
}

/** Opens the library without a grammar; undefined where it is not installed. */
export async function openLazyGrammars(): Promise<LazyGrammars | undefined> {
  const library = await openLibrary()
  if (!library) return undefined
  const { Parser, Language, module } = library
  const parsers = new Map<TreeLanguage, { parser: Parser; names: GrammarNames }>()
  const missing = new Set<TreeLanguage>()
  const absent = new Set<TreeLanguage>()
  let isBroken = false
  return {
    missing,
    async load(language) {
      missing.delete(language)
      if (parsers.has(language)) return true
      const wasm = await readGrammar(language)
      if (!wasm) {
        absent.add(language)
        return false
      }
      const grammar = await Language.load(wasm)
      parsers.set(language, {
        parser: new Parser().setLanguage(grammar),
        names: namesOf(grammar),
      })
      return true
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
        // Its memory is at an end, and whatever else it is asked for.
        isBroken = error instanceof WebAssembly.RuntimeError
        throw error
      }
      if (!tree) {
        parser.reset()
        return undefined
      }
      const root: SyntaxNode = module ? rootOf(tree, { module, names, text }) : tree.rootNode
      return { root, free: () => tree.delete() }
    },
  }
}

interface TreeLibrary extends Pick<typeof import('web-tree-sitter'), 'Parser' | 'Language'> {
  /** Undefined where the library was opened by others, or is another than is known here. */
  readonly module: TreeModule | undefined
}

let opening: Promise<TreeLibrary | undefined> | undefined

/** Opens the library once: it has one module in a thread. */
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

async function readGrammar(language: TreeLanguage): Promise<Uint8Array | undefined> {
  const name = `@vscode/tree-sitter-wasm/wasm/tree-sitter-${FILES[language] ?? language}.wasm`
  try {
    return await readFile(createRequire(import.meta.url).resolve(name))
  } catch {
    return undefined
  }
}
