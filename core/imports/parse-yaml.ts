import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from 'js-yaml'
import { createImportError } from './import-errors.ts'
import type { ImportLimits } from './limits.ts'
import type { ImportWarning } from './records.ts'
import {
  createYamlError,
  DEFICIENT_INDENTATION,
  findUnclosed,
  groupConsecutiveLines,
  INDENT,
  type YamlError,
  type YamlFault,
} from './yaml-errors.ts'

const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/** A parsed YAML text. */
export interface ParsedYaml {
  readonly value: unknown
  /** Lines parsed as if they were indented further; see `parseYaml`. */
  readonly warnings: readonly ImportWarning[]
}

/**
 * Parses YAML 1.2 text with merge keys, which are common. Dates remain strings; unknown tags and
 * duplicate keys are errors. Of several documents, returns the first non-empty one. Throws
 * `too_expensive` for bombs (aliases count each time they are used) and `invalid_description` with
 * line and column.
 *
 * Accepts lines that continue a quoted text or flow collection with too little indentation, as
 * other parsers do, with a warning. Each needs another parse of the whole text, so
 * `maxRereadCharacters` bounds the text parsed again; 0 rejects such lines.
 */
export function parseYaml(text: string, limits: ImportLimits): ParsedYaml {
  if (hasManyLines(text)) {
    throw createImportError(
      'too_expensive',
      `Cannot parse the YAML text: more than ${MAX_LINES} lines`,
    )
  }
  const { documents, lines } = loadWithIndentation(text, limits)
  const value = documents.find((document) => document !== null && document !== undefined)
  checkExpansion(value, {
    maxDepth: limits.maxDepth,
    maxNodes: Math.min(limits.maxNodes, FREE_NODES + MAX_GROWTH * text.length),
    maxCharacters: Math.min(limits.maxCharacters, FREE_CHARACTERS + MAX_GROWTH * text.length),
  })
  return { value, warnings: createLineWarnings(lines) }
}

/**
 * The parser needs memory and time for each line, even if blank. 32 MiB of real YAML have fewer
 * lines.
 */
const MAX_LINES = 1_000_000

/** True if a text has too many lines to be parsed as YAML. */
export function hasManyLines(text: string): boolean {
  let lines = 1
  for (let at = 0; at < text.length && lines <= MAX_LINES; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines += 1
  }
  return lines > MAX_LINES
}

/** Loads the documents of a text; indents lines if needed. */
function loadWithIndentation(
  text: string,
  limits: ImportLimits,
): { readonly documents: readonly unknown[]; readonly lines: readonly number[] } {
  const yaml = createIndentedYaml(text, findParseError)
  let room = limits.maxRereadCharacters
  for (;;) {
    try {
      return { documents: loadDocuments(yaml.source(), limits), lines: yaml.lines() }
    } catch (error) {
      if (!(error instanceof YAMLException)) {
        throw createImportError('invalid_description', 'Invalid YAML')
      }
      const fault = {
        error,
        source: yaml.source(),
        lines: yaml.lines(),
        findReason: findParseError,
      }
      room -= fault.source.length
      if (room < 0 || !yaml.indent(error)) {
        throw createYamlError({ ...fault, isOverBudget: room < 0 && fault.lines.length > 0 })
      }
    }
  }
}

/** Returns the reason why a text cannot be parsed; empty if it can. */
function findParseError(text: string): string {
  try {
    loadAll(text)
    return ''
  } catch (error) {
    return error instanceof YAMLException ? error.reason : ''
  }
}

function loadDocuments(text: string, limits: ImportLimits): readonly unknown[] {
  return loadAll(text, {
    schema: SCHEMA,
    maxDepth: limits.maxDepth,
    maxAliases: limits.maxAliases,
    maxTotalMergeKeys: 100_000,
  })
}

/** Allowed size with expanded aliases: this, plus `MAX_GROWTH` times the length of the text. */
const FREE_NODES = 50_000
const FREE_CHARACTERS = 1024 * 1024
const MAX_GROWTH = 4

/**
 * Walks the value with every alias expanded; throws when it exceeds the limits or contains a cycle.
 */
function checkExpansion(
  value: unknown,
  limits: Pick<ImportLimits, 'maxDepth' | 'maxNodes' | 'maxCharacters'>,
): void {
  let nodes = 0
  let characters = 0
  const walk = (node: unknown, depth: number): void => {
    nodes += 1
    if (typeof node === 'string') characters += node.length
    if (nodes > limits.maxNodes || characters > limits.maxCharacters) {
      throw createImportError(
        'too_expensive',
        'Cannot parse the YAML text: its aliases expand to too many values',
      )
    }
    if (typeof node !== 'object' || node === null) return
    if (depth > limits.maxDepth) {
      throw createImportError(
        'too_expensive',
        `Cannot parse the YAML text: nested more than ${limits.maxDepth} levels deep, or an alias contains itself`,
      )
    }
    if (Array.isArray(node)) {
      for (const item of node) walk(item, depth + 1)
      return
    }
    for (const [key, item] of Object.entries(node)) {
      characters += key.length
      walk(item, depth + 1)
    }
  }
  walk(value, 0)
}

/**
 * A YAML text whose lines are indented further until it can be parsed; blank lines stay unchanged.
 */
interface IndentedYaml {
  /** The text with `INDENT` before each non-blank line of `lines`. */
  source(): string
  /** Numbers of the indented lines, from 1, ascending. */
  lines(): readonly number[]
  /**
   * Indents lines according to the error of a failed parse of `source()`, or undoes some. Returns
   * false if that does not help or could change the meaning: at a document marker, or at a colon
   * separated from its key in brackets.
   */
  indent(error: YamlError): boolean
}

/**
 * Starts with the unchanged text. Lines that continue a quoted text or flow collection with too
 * little indentation are indented; their leading white space has no meaning. Indents the first
 * alone, then two, four and so on until the parse fails within them: there the quote or bracket
 * ends.
 */
function createIndentedYaml(text: string, findReason: YamlFault['findReason']): IndentedYaml {
  const rows = text.split(/(?<=\n|\r(?!\n))/)
  let source = text
  let numbers: number[] = []
  /** The lines indented last: the first one, and the one after the last. */
  let batch = { first: 0, end: 0 }

  const rebuildSource = (next: number[]) => {
    numbers = next
    const indented = new Set(next)
    // A text may contain millions of blank lines, whose indentation has no meaning.
    const indent = (row: string) => (/[^ \t\r\n]/.test(row) ? INDENT + row : row)
    source = rows.map((row, at) => (indented.has(at + 1) ? indent(row) : row)).join('')
  }
  const isStop = (row: string) => /^(?:---|\.\.\.)(?:\s|$)/.test(row) || /^\s*:/.test(row)

  return {
    source: () => source,
    lines: () => numbers,
    indent(error) {
      const line = (error.mark?.line ?? 0) + 1
      if (line > batch.first && line < batch.end) {
        rebuildSource(numbers.filter((number) => number < line))
        batch = { first: 0, end: 0 }
        return true
      }
      if (!isIndentable({ error, source, lines: numbers, findReason })) return false
      const count = line === batch.end ? 2 * (batch.end - batch.first) : 1
      const added = [line]
      let end = line + 1
      for (; end <= rows.length; end += 1) {
        const row = rows[end - 1] ?? ''
        if (isStop(row) || (end >= line + count && row.trim() !== '')) break
        added.push(end)
      }
      batch = { first: line, end }
      rebuildSource([...numbers, ...added])
      return true
    },
  }
}

function isIndentable(fault: YamlFault): boolean {
  const { error, source, lines } = fault
  const { mark, reason } = error
  if (reason !== DEFICIENT_INDENTATION || !mark || mark.position >= source.length) return false
  if (lines.includes(mark.line + 1)) return false
  const start = mark.position - mark.column
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(source.slice(start, start + 4))) return false
  const isColon = source[mark.position] === ':'
  return !isColon || findUnclosed(fault, mark.position)?.name !== 'bracket'
}

/** Creates one warning for each run of consecutive indented lines. */
function createLineWarnings(lines: readonly number[]): readonly ImportWarning[] {
  return groupConsecutiveLines(lines).map(([first, last]) => {
    const subject = first === last ? `Line ${first} is` : `Lines ${first} to ${last} are`
    const message = `${subject} indented too little to continue quotes or brackets; parsed as part of them`
    return { pointer: '', message }
  })
}
