import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from 'js-yaml'
import type { ImportLimits } from './limits.ts'
import type { ImportWarning } from './records.ts'
import { refusal } from './refusals.ts'
import { createIndentedYaml, toLineWarnings } from './yaml-lines.ts'
import { toYamlRefusal } from './yaml-refusals.ts'

const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/** A parsed YAML text. */
export interface ParsedYaml {
  readonly value: unknown
  /** Lines that were read as if they were indented further; see `parseYaml`. */
  readonly warnings: readonly ImportWarning[]
}

/**
 * Parses YAML 1.2 text (with merge keys, which are common): dates stay text, unknown tags and
 * duplicate keys are refused. Of several documents the first that holds anything is taken.
 * Throws `too_expensive` for bombs (aliases counted as often as they occur) and
 * `invalid_description` with line and column.
 *
 * Lines that continue a quoted text or a flow collection with too little indentation are read as
 * other parsers read them, with a warning. Each takes another parse of the whole text, so what is
 * parsed again is bounded by `maxRereadCharacters`; 0 refuses such a line.
 */
export function parseYaml(text: string, limits: ImportLimits): ParsedYaml {
  if (hasManyLines(text)) {
    throw refusal('too_expensive', `Cannot read the YAML text: more than ${MAX_LINES} lines`)
  }
  const { documents, lines } = loadIndented(text, limits)
  const value = documents.find((document) => document !== null && document !== undefined)
  charge(value, {
    maxDepth: limits.maxDepth,
    maxNodes: Math.min(limits.maxNodes, FREE_NODES + MAX_GROWTH * text.length),
    maxCharacters: Math.min(limits.maxCharacters, FREE_CHARACTERS + MAX_GROWTH * text.length),
  })
  return { value, warnings: toLineWarnings(lines) }
}

/** The parser takes memory and time for each line, blank ones too. 32 MiB of real YAML have fewer. */
const MAX_LINES = 1_000_000

/** Whether a text has more lines than are parsed as YAML. */
export function hasManyLines(text: string): boolean {
  let lines = 1
  for (let at = 0; at < text.length && lines <= MAX_LINES; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines += 1
  }
  return lines > MAX_LINES
}

/** Loads the documents of a text, with lines indented where that is needed. */
function loadIndented(
  text: string,
  limits: ImportLimits,
): { readonly documents: readonly unknown[]; readonly lines: readonly number[] } {
  const yaml = createIndentedYaml(text, findReason)
  let room = limits.maxRereadCharacters
  for (;;) {
    try {
      return { documents: load(yaml.source(), limits), lines: yaml.lines() }
    } catch (error) {
      if (!(error instanceof YAMLException)) {
        throw refusal('invalid_description', 'Cannot read the YAML text')
      }
      const fault = { error, source: yaml.source(), lines: yaml.lines(), findReason }
      room -= fault.source.length
      if (room < 0 || !yaml.indent(error)) {
        throw toYamlRefusal({ ...fault, isOverBudget: room < 0 && fault.lines.length > 0 })
      }
    }
  }
}

/** Why a text cannot be parsed; empty when it can. */
function findReason(text: string): string {
  try {
    loadAll(text)
    return ''
  } catch (error) {
    return error instanceof YAMLException ? error.reason : ''
  }
}

function load(text: string, limits: ImportLimits): readonly unknown[] {
  return loadAll(text, {
    schema: SCHEMA,
    maxDepth: limits.maxDepth,
    maxAliases: limits.maxAliases,
    maxTotalMergeKeys: 100_000,
  })
}

/** What aliases may make of any text, and how many times its own size. */
const FREE_NODES = 50_000
const FREE_CHARACTERS = 1024 * 1024
const MAX_GROWTH = 4

/** Walks the value as if every alias were written out, and stops at the budget or at a cycle. */
function charge(
  value: unknown,
  limits: Pick<ImportLimits, 'maxDepth' | 'maxNodes' | 'maxCharacters'>,
): void {
  let nodes = 0
  let characters = 0
  const walk = (node: unknown, depth: number): void => {
    nodes += 1
    if (typeof node === 'string') characters += node.length
    if (nodes > limits.maxNodes || characters > limits.maxCharacters) {
      throw refusal('too_expensive', 'Cannot read the YAML text: its aliases expand to too much')
    }
    if (typeof node !== 'object' || node === null) return
    if (depth > limits.maxDepth) {
      throw refusal(
        'too_expensive',
        `Cannot read the YAML text: nested more than ${limits.maxDepth} deep, or an alias within itself`,
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
