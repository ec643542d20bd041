import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** A source file. */
export interface Source {
  /** From the project's root, with slashes: `core/app.ts`. */
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
}

/** A static or dynamic import, including re-exports and workers. */
export interface Import {
  readonly from: string
  /** Path from the project root, or package specifier: `node:http`, `valibot`. */
  readonly to: string
  readonly isType: boolean
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Reads all TypeScript files in these folders. */
export function readSources(folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) =>
        toSource(relative(ROOT, file).split(sep).join('/'), readFileSync(file, 'utf8')),
      ),
  )
}

/** Parses a source file. */
export function toSource(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
}

/** Finds the imports of a file. */
export function findImports(source: Source): readonly Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    found.push({ from: source.path, to: resolve(source.path, specifier.text), isType })
  }
  visit(source.tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypes(node.importClause))
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, exportsTypes(node))
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true)
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false)
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'URL') {
      const [target, base] = node.arguments ?? []
      if (base?.getText() === 'import.meta.url') add(target, false)
    }
  })
  return found
}

/** Calls `see` for every node of a tree. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

/** Returns all files that loading `entry` loads, including itself. Ignores type imports. */
export function findReach(entry: string, imports: readonly Import[]): ReadonlySet<string> {
  const reached = new Set([entry])
  for (const path of reached) {
    for (const { from, to, isType } of imports) if (from === path && !isType) reached.add(to)
  }
  return reached
}

function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return normalize(join(dirname(from), specifier))
    .split(sep)
    .join('/')
}

function importsTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const bindings = clause.namedBindings
  if (clause.name || !bindings || ts.isNamespaceImport(bindings)) return false
  return bindings.elements.every(({ isTypeOnly }) => isTypeOnly)
}

function exportsTypes(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true
  const clause = node.exportClause
  return (
    clause !== undefined &&
    ts.isNamedExports(clause) &&
    clause.elements.every(({ isTypeOnly }) => isTypeOnly)
  )
}
