import ts from 'typescript'
import { type Source, visit } from './sources.ts'

/** Limits of the code scanner: independent branches of a function, characters, and lines. */
const MAX_COMPLEXITY = 25
const MAX_PATTERN = 150
const MAX_LANGUAGE_LINES = 260

const RUNTIME_GLOBALS = new Set([
  'Buffer',
  'process',
  'Bun',
  'Deno',
  'require',
  '__dirname',
  '__filename',
])

/** Files whose hosts require a default export. */
const DEFAULT_EXPORTS = /^examples\/(worker|hono)\.ts$/

/** Lists the style violations of a file. */
export function judgeStyle(source: Source): readonly string[] {
  const faults: string[] = []
  const { path, text, tree } = source
  const blame = (node: ts.Node, what: string) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
    faults.push(`${path}:${line + 1} ${what}`)
  }
  const name = path.split('/').at(-1) ?? ''
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d))?\.ts$/.test(name)) {
    faults.push(`${path} is not named in kebab-case`)
  }
  const lines = text.split('\n').length - 1
  const isScanner = path.startsWith('core/code-scanner/')
  if (/^core\/code-scanner\/languages\/[^/]+$/.test(path) && lines > MAX_LANGUAGE_LINES) {
    faults.push(`${path} has ${lines} lines, more than ${MAX_LANGUAGE_LINES} of a language`)
  }
  if (/@ts-(ignore|nocheck|expect-error)/.test(text)) faults.push(`${path} silences the compiler`)
  visit(tree, (node) => {
    if (!DEFAULT_EXPORTS.test(path) && isDefaultExport(node)) blame(node, 'exports a default')
    const fault = judgeNode(node)
    if (fault) blame(node, fault)
    const limit = isScanner ? judgeSize(node) : undefined
    if (limit) blame(node, limit)
    if (path.startsWith('core/') && isRuntimeGlobal(node)) blame(node, "uses a runtime's global")
  })
  return faults
}

function judgeNode(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'uses any'
  if (ts.isNonNullExpression(node)) return 'uses !'
  if (ts.isVariableDeclaration(node) && node.exclamationToken) return 'uses !'
  if (ts.isPropertyDeclaration(node) && node.exclamationToken) return 'uses !'
  if (ts.isEnumDeclaration(node)) return 'declares an enum'
  if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) {
    return 'declares a parameter property'
  }
  return undefined
}

function judgeSize(node: ts.Node): string | undefined {
  if (ts.isRegularExpressionLiteral(node) && node.text.length > MAX_PATTERN) {
    return `has a regular expression of ${node.text.length} characters, more than ${MAX_PATTERN}`
  }
  if (!isFunction(node)) return undefined
  const complexity = countBranches(node)
  return complexity > MAX_COMPLEXITY
    ? `has a function of complexity ${complexity}, more than ${MAX_COMPLEXITY}`
    : undefined
}

function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

const LOGICAL = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])

const BRANCHES = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.QuestionDotToken,
])

/** Cyclomatic complexity of a function without the functions inside it. */
function countBranches(body: ts.Node): number {
  let count = 1
  const visitNode = (node: ts.Node): void => {
    if (isFunction(node)) return
    if (BRANCHES.has(node.kind)) count += 1
    if (ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind)) count += 1
    ts.forEachChild(node, visitNode)
  }
  ts.forEachChild(body, visitNode)
  return count
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  )
}

/** Checks for a global, or `globalThis.Bun`, but not for properties or other names. */
function isRuntimeGlobal(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || !RUNTIME_GLOBALS.has(node.text)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return parent.expression.getText() === 'globalThis'
  }
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false
  return !ts.isPropertySignature(parent) && !ts.isMethodSignature(parent)
}
