import type { Expression, Place } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** The value that a word of the shell has, as far as the text tells it. */
export function toExpression(node: SyntaxNode): Expression {
  const place = toPlace(node)
  switch (node.type) {
    case 'word':
    case 'number':
      return { kind: 'text', text: unescapeWord(node.text), place }
    case 'raw_string':
      return { kind: 'text', text: node.text.slice(1, -1), place }
    case 'ansi_c_string':
      return { kind: 'text', text: node.text.slice(2, -1), place }
    case 'string':
      return fromString(node)
    case 'concatenation':
      return joinOf(node.children, place)
    case 'simple_expansion':
      return { kind: 'name', name: node.text.slice(1), place }
    case 'expansion':
      return fromExpansion(node)
    case 'array':
      return {
        kind: 'list',
        items: node.namedChildren.flatMap((item) => expressionOf(item)),
        place,
      }
    case 'command_substitution':
      return fromSubstitution(node)
    default:
      return { kind: 'unknown', place }
  }
}

/** Where a node begins. */
export function toPlace(node: SyntaxNode): Place {
  const { row, column } = node.startPosition
  return { index: node.startIndex, line: row + 1, column: column + 1 }
}

/** Whether what a command prints goes into a program of one of the given names. */
export function isPiped(node: SyntaxNode, programs: RegExp): boolean {
  let at = node
  for (let depth = 0; depth < 4; depth += 1) {
    const { parent } = at
    if (!parent) return false
    if (parent.type === 'pipeline') {
      const position = parent.namedChildren.findIndex((child) => child?.id === at.id)
      const next = parent.namedChildren.slice(position + 1)
      return next.some((child) => programs.test(programOf(child)))
    }
    if (parent.type === 'process_substitution') return isArgumentOf(parent, programs)
    if (parent.type === 'command_substitution') return isScriptOf(parent, programs)
    if (parent.type !== 'redirected_statement' && parent.type !== 'list') return false
    at = parent
  }
  return false
}

/** `bash <(curl …)`, `source <(curl …)`. */
function isArgumentOf(node: SyntaxNode, programs: RegExp): boolean {
  const name = programOf(node.parent)
  return programs.test(name) || name === 'source' || name === '.'
}

/** `bash -c "$(curl …)"`. */
function isScriptOf(node: SyntaxNode, programs: RegExp): boolean {
  const command = node.parent?.type === 'string' ? node.parent.parent : node.parent
  return programs.test(programOf(command)) || programOf(command) === 'eval'
}

function programOf(node: SyntaxNode | null): string {
  if (node?.type === 'redirected_statement') return programOf(node.namedChild(0))
  if (node?.type !== 'command') return ''
  const text = node.childForFieldName('name')?.text ?? ''
  return text.slice(text.lastIndexOf('/') + 1)
}

/**
 * The parts of a string in double quotes. The grammar has no nodes for some of the text between
 * expansions (spaces), so the text is taken by position.
 */
function fromString(node: SyntaxNode): Expression {
  const place = toPlace(node)
  const parts: Expression[] = []
  const text = node.text
  const start = node.startIndex
  let from = 1
  const addText = (to: number): void => {
    if (to <= from) return
    const piece = text
      .slice(from, to)
      .replaceAll(/\\\r?\n/g, '')
      .replaceAll(/\\(["\\$`])/g, '$1')
    parts.push({ kind: 'text', text: piece, place: { ...place, index: start + from } })
  }
  for (const child of node.namedChildren) {
    if (!child || child.type === 'string_content') continue
    addText(child.startIndex - start)
    parts.push(toExpression(child))
    from = child.endIndex - start
  }
  addText(text.endsWith('"') ? text.length - 1 : text.length)
  const [only] = parts
  if (parts.length === 0) return { kind: 'text', text: '', place }
  if (parts.length === 1 && only) return { ...only, place }
  return { kind: 'join', parts, place }
}

function joinOf(nodes: readonly (SyntaxNode | null)[], place: Place): Expression {
  return { kind: 'join', parts: nodes.flatMap(expressionOf), place }
}

function expressionOf(node: SyntaxNode | null): readonly Expression[] {
  return node ? [toExpression(node)] : []
}

/** `${X}`, `${X:-default}`, `${X%/}`; what changes the value otherwise is taken as the value. */
function fromExpansion(node: SyntaxNode): Expression {
  const place = toPlace(node)
  const match = /^\$\{!?(\w+|[@*#?])(\[[^\]]*\])?(.*)\}$/s.exec(node.text)
  const name = match?.[1]
  if (!match || name === undefined) return { kind: 'unknown', place }
  const value: Expression = { kind: 'name', name, place }
  if (!/^:?[-=]/.test(match[3] ?? '')) return value
  const given = node.children.slice(3).filter((child) => child && child.type !== '}')
  if (given.length === 0) return value
  const fallback = given.length === 1 ? expressionOf(given[0] ?? null)[0] : joinOf(given, place)
  return fallback ? { kind: 'either', options: [value, fallback], place } : value
}

/** `$(echo "$BASE/v1")` and `$(printf '%s/v1' "$BASE")` are texts too. */
function fromSubstitution(node: SyntaxNode): Expression {
  const place = toPlace(node)
  const command = node.namedChild(0)
  if (node.namedChildCount !== 1 || command?.type !== 'command') return { kind: 'unknown', place }
  const args = command.childrenForFieldName('argument').flatMap(expressionOf)
  const [first, ...values] = args
  if (!first) return { kind: 'unknown', place }
  const program = programOf(command)
  if (program === 'echo' && args.length === 1) return first
  if (program === 'printf') return { kind: 'format', format: first, values, named: {}, place }
  return { kind: 'unknown', place }
}

function unescapeWord(text: string): string {
  return text.replaceAll(/\\\r?\n/g, '').replaceAll(/\\(.)/g, '$1')
}
