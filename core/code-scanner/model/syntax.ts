/** Name of a grammar, as in the file `tree-sitter-<name>.wasm`; `tsx` is TypeScript with JSX. */
export type TreeLanguage = string

/** A node of a concrete syntax tree; web-tree-sitter's nodes are such. */
export interface SyntaxNode {
  /** The same for the same node of a tree. */
  readonly id: number
  /** As the grammar names it. */
  readonly type: string
  readonly text: string
  readonly isNamed: boolean
  readonly hasError: boolean
  /** In UTF-16 units from the start of the text. */
  readonly startIndex: number
  readonly endIndex: number
  /** Both from 0; the column in UTF-16 units. */
  readonly startPosition: { readonly row: number; readonly column: number }
  readonly childCount: number
  readonly namedChildCount: number
  readonly parent: SyntaxNode | null
  readonly children: readonly SyntaxNode[]
  readonly namedChildren: readonly SyntaxNode[]
  child(index: number): SyntaxNode | null
  namedChild(index: number): SyntaxNode | null
  childForFieldName(name: string): SyntaxNode | null
  childrenForFieldName(name: string): readonly SyntaxNode[]
  descendantsOfType(types: string | readonly string[]): readonly SyntaxNode[]
}

/** A parsed text. Free it when done: its memory is not the runtime's. */
export interface SyntaxTree {
  readonly root: SyntaxNode
  free(): void
}

/** Parses texts. Undefined where there is no grammar or the text cannot be parsed in time. */
export interface Grammars {
  parse(language: TreeLanguage, text: string): SyntaxTree | undefined
}
