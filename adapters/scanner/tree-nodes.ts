import type { Language, Tree } from 'web-tree-sitter'
import type { SyntaxNode } from '../../core/code-scanner/model/syntax.ts'

/**
 * Functions of web-tree-sitter's WebAssembly module for reading nodes. The library adds them to the
 * object passed to `Parser.init`. A node is passed and returned as five numbers in the module's
 * memory.
 */
export interface TreeModule {
  /** Memory of the module; created by the module by default. */
  readonly wasmMemory?: WebAssembly.Memory
  /** Replaced when the memory grows. */
  readonly HEAP32: Int32Array
  /** Returns the address for passing nodes. */
  _ts_init(): number
  _malloc(bytes: number): number
  _free(address: number): void
  _ts_tree_root_node_wasm(tree: number): void
  _ts_node_symbol_wasm(tree: number): number
  _ts_node_end_index_wasm(tree: number): number
  _ts_node_is_named_wasm(tree: number): number
  _ts_node_has_error_wasm(tree: number): number
  _ts_node_children_wasm(tree: number): void
  _ts_node_named_children_wasm(tree: number): void
  _ts_node_child_by_field_id_wasm(tree: number, field: number): void
  _ts_node_children_by_field_id_wasm(tree: number, field: number): void
  _ts_node_parent_wasm(tree: number): void
  /**
   * Finds descendants by symbol within a range of rows and columns; all zeros select the whole
   * node.
   */
  _ts_node_descendants_of_type_wasm(
    tree: number,
    symbols: number,
    count: number,
    ...range: readonly [number, number, number, number]
  ): void
}

const FUNCTIONS = [
  '_ts_init',
  '_malloc',
  '_free',
  '_ts_tree_root_node_wasm',
  '_ts_node_symbol_wasm',
  '_ts_node_end_index_wasm',
  '_ts_node_is_named_wasm',
  '_ts_node_has_error_wasm',
  '_ts_node_children_wasm',
  '_ts_node_named_children_wasm',
  '_ts_node_child_by_field_id_wasm',
  '_ts_node_children_by_field_id_wasm',
  '_ts_node_parent_wasm',
  '_ts_node_descendants_of_type_wasm',
] as const satisfies readonly (keyof TreeModule)[]

/** Whether a module has all functions for reading nodes, which are not a documented interface. */
export function isTreeModule(module: Partial<TreeModule>): module is TreeModule {
  const { HEAP32 } = module
  return (
    HEAP32 instanceof Int32Array && FUNCTIONS.every((name) => typeof module[name] === 'function')
  )
}

/** Size of a node in the module's memory, in 32-bit numbers. */
const NODE_SIZE = 5

/** Properties shared by the nodes of one tree. */
interface TreeSource {
  readonly module: TreeModule
  /** Address of the tree in the module's memory. */
  readonly address: number
  /** Index in `HEAP32` for passing nodes. */
  readonly passedAt: number
  readonly names: GrammarNames
  readonly text: string
}

/** Names of a grammar. */
export interface GrammarNames {
  /** Node types by symbol. */
  readonly types: readonly string[]
  /** Field numbers by name. */
  readonly fields: ReadonlyMap<string, number>
}

/** Reads the names of a grammar; call once per grammar. */
export function readGrammarNames(language: Language): GrammarNames {
  const fields = new Map<string, number>()
  for (const [field, name] of language.fields.entries()) if (name) fields.set(name, field)
  return { types: language.types, fields }
}

/**
 * Creates the root node of a tree. These nodes replace web-tree-sitter's at a fraction of their
 * cost: they cache types and children, so each crosses into WebAssembly only once.
 */
export function createRootNode(
  tree: Tree,
  source: Pick<TreeSource, 'module' | 'names' | 'text'>,
): SyntaxNode {
  // Internal property of the library: the tree's address.
  const address = (tree as unknown as { readonly 0: number })[0]
  const passedAt = source.module._ts_init() >> 2
  // Writes the root at the address for passing nodes.
  source.module._ts_tree_root_node_wasm(address)
  return new TreeNode({ ...source, address, passedAt }, passedAt)
}

class TreeNode implements SyntaxNode {
  readonly id: number
  readonly startIndex: number
  readonly #source: TreeSource
  readonly #row: number
  readonly #column: number
  /** Symbol of the node in this context of the grammar, or 0. */
  readonly #alias: number
  #type: string | undefined
  #end: number | undefined
  /** Undefined until it is read; null for the root. */
  #parent: SyntaxNode | null | undefined
  #children: readonly SyntaxNode[] | undefined
  #namedChildren: readonly SyntaxNode[] | undefined

  /** Reads a node from the module's memory, by an index in `HEAP32`. */
  constructor(source: TreeSource, at: number, parent?: SyntaxNode) {
    const { HEAP32 } = source.module
    this.#source = source
    this.#parent = parent
    this.id = HEAP32[at] ?? 0
    this.startIndex = HEAP32[at + 1] ?? 0
    this.#row = HEAP32[at + 2] ?? 0
    this.#column = HEAP32[at + 3] ?? 0
    this.#alias = HEAP32[at + 4] ?? 0
  }

  get type(): string {
    if (this.#type === undefined) {
      const { module, names } = this.#source
      this.#type = names.types[module._ts_node_symbol_wasm(this.#pass())] || 'ERROR'
    }
    return this.#type
  }

  get text(): string {
    return this.#source.text.slice(this.startIndex, this.endIndex)
  }

  get isNamed(): boolean {
    return this.#source.module._ts_node_is_named_wasm(this.#pass()) === 1
  }

  get hasError(): boolean {
    return this.#source.module._ts_node_has_error_wasm(this.#pass()) === 1
  }

  get endIndex(): number {
    this.#end ??= this.#source.module._ts_node_end_index_wasm(this.#pass())
    return this.#end
  }

  get startPosition(): SyntaxNode['startPosition'] {
    return { row: this.#row, column: this.#column }
  }

  get childCount(): number {
    return this.children.length
  }

  get namedChildCount(): number {
    return this.namedChildren.length
  }

  get children(): readonly SyntaxNode[] {
    if (!this.#children) {
      this.#source.module._ts_node_children_wasm(this.#pass())
      this.#children = this.#takeList(this)
    }
    return this.#children
  }

  get namedChildren(): readonly SyntaxNode[] {
    if (!this.#namedChildren) {
      this.#source.module._ts_node_named_children_wasm(this.#pass())
      this.#namedChildren = this.#takeList(this)
    }
    return this.#namedChildren
  }

  get parent(): SyntaxNode | null {
    if (this.#parent === undefined) {
      this.#source.module._ts_node_parent_wasm(this.#pass())
      this.#parent = this.#takeOne()
    }
    return this.#parent
  }

  child(index: number): SyntaxNode | null {
    return this.children[index] ?? null
  }

  namedChild(index: number): SyntaxNode | null {
    return this.namedChildren[index] ?? null
  }

  childForFieldName(name: string): SyntaxNode | null {
    const { module, names } = this.#source
    const field = names.fields.get(name)
    if (field === undefined) return null
    module._ts_node_child_by_field_id_wasm(this.#pass(), field)
    return this.#takeOne(this)
  }

  childrenForFieldName(name: string): readonly SyntaxNode[] {
    const { module, names } = this.#source
    const field = names.fields.get(name)
    if (field === undefined) return []
    module._ts_node_children_by_field_id_wasm(this.#pass(), field)
    return this.#takeList(this)
  }

  descendantsOfType(types: string | readonly string[]): readonly SyntaxNode[] {
    const { module, names } = this.#source
    const wanted = typeof types === 'string' ? [types] : types
    const symbols = [...names.types.keys()].filter((one) => wanted.includes(names.types[one] ?? ''))
    const address = module._malloc(symbols.length * Int32Array.BYTES_PER_ELEMENT)
    module.HEAP32.set(symbols, address >> 2)
    const range = [0, 0, 0, 0] as const
    module._ts_node_descendants_of_type_wasm(this.#pass(), address, symbols.length, ...range)
    module._free(address)
    return this.#takeList()
  }

  /** Writes the node to the address for passing nodes; returns the address of its tree. */
  #pass(): number {
    const { module, address, passedAt } = this.#source
    const { HEAP32 } = module
    HEAP32[passedAt] = this.id
    HEAP32[passedAt + 1] = this.startIndex
    HEAP32[passedAt + 2] = this.#row
    HEAP32[passedAt + 3] = this.#column
    HEAP32[passedAt + 4] = this.#alias
    return address
  }

  /** Reads the node returned by a module function. */
  #takeOne(parent?: SyntaxNode): SyntaxNode | null {
    const { module, passedAt } = this.#source
    return module.HEAP32[passedAt] === 0 ? null : new TreeNode(this.#source, passedAt, parent)
  }

  /** Reads the list of nodes returned by a module function. */
  #takeList(parent?: SyntaxNode): readonly SyntaxNode[] {
    const { module, passedAt } = this.#source
    const count = module.HEAP32[passedAt] ?? 0
    const address = module.HEAP32[passedAt + 1] ?? 0
    const list: SyntaxNode[] = []
    for (let at = 0; at < count; at += 1) {
      list.push(new TreeNode(this.#source, (address >> 2) + at * NODE_SIZE, parent))
    }
    if (count > 0) module._free(address)
    return list
  }
}
