import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from 'js-yaml'
import type { ImportLimits } from './limits.ts'
import { describePlace, refusal } from './refusals.ts'

const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/**
 * Parses YAML 1.2 text (with merge keys, which are common): dates stay text, unknown tags and
 * duplicate keys are refused. Of several documents the first that holds anything is taken.
 * Throws `too_expensive` for bombs (aliases counted as often as they occur) and
 * `invalid_description` with line and column.
 */
export function parseYaml(text: string, limits: ImportLimits): unknown {
  let documents: readonly unknown[]
  try {
    documents = loadAll(text, {
      schema: SCHEMA,
      maxDepth: limits.maxDepth,
      maxAliases: limits.maxAliases,
      maxTotalMergeKeys: 100_000,
    })
  } catch (error) {
    throw toRefusal(error)
  }
  const value = documents.find((document) => document !== null && document !== undefined)
  charge(value, {
    maxDepth: limits.maxDepth,
    maxNodes: Math.min(limits.maxNodes, FREE_NODES + MAX_GROWTH * text.length),
    maxCharacters: Math.min(limits.maxCharacters, FREE_CHARACTERS + MAX_GROWTH * text.length),
  })
  return value
}

function toRefusal(error: unknown) {
  if (!(error instanceof YAMLException)) {
    return refusal('invalid_description', 'Cannot read the YAML text')
  }
  const place = error.mark ? { line: error.mark.line + 1, column: error.mark.column + 1 } : {}
  const where = error.mark ? ` (${describePlace(place)})` : ''
  const isBomb = /exceeded max/.test(error.reason)
  const reason = error.reason.slice(0, 200)
  return refusal(
    isBomb ? 'too_expensive' : 'invalid_description',
    `Cannot read the YAML text: ${reason}${where}`,
    place,
  )
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
