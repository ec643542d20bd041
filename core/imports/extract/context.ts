import { findByPointer, getRef, refToPointer } from '../../schemas/refs.ts'
import { asText, isObject, type JsonObject } from '../../schemas/values.ts'
import { toCardPointer } from '../agent-cards.ts'
import type { CardKind, DescriptionKind } from '../detect-kind.ts'
import type { ImportLimits } from '../limits.ts'
import type { ImportWarning } from '../read-description.ts'

/** An object of the description and its location, after resolving its `$ref`s. */
export interface Located {
  readonly node: JsonObject
  /** JSON pointer without `#`. */
  readonly pointer: string
}

/** Shared state of an extraction: document, references, warnings. */
export interface ExtractionContext {
  readonly document: JsonObject
  readonly kind: DescriptionKind
  readonly isSwagger: boolean
  /** Undefined for descriptions of HTTP APIs. */
  readonly card: CardKind | undefined
  readonly limits: ImportLimits
  readonly warnings: readonly ImportWarning[]
  /** Number of all warnings, including those beyond `limits.maxWarnings`. */
  warningCount(): number
  warn(pointer: string, message: string): void
  /**
   * Resolves an object's `$ref`s within the document (`#`, `#/…`). Returns undefined for anything
   * but an object. External, missing and circular references also return undefined, with a warning
   * each. `at` is called only to locate a warning.
   */
  resolve(node: unknown, at: () => string): Located | undefined
  /** The value that a local reference points to; undefined if missing. */
  find(pointer: string): unknown
}

/** Creates the shared state of one extraction. */
export function createExtractionContext(input: {
  readonly document: JsonObject
  readonly kind: DescriptionKind
  readonly limits: ImportLimits
}): ExtractionContext {
  const { document, kind, limits } = input
  const warnings: ImportWarning[] = []
  const targets = new Map<string, Located | undefined>()
  const card = kind === 'mcp' || kind === 'a2a' ? kind : undefined
  let warningCount = 0

  const warn = (pointer: string, message: string) => {
    warningCount += 1
    if (warnings.length >= limits.maxWarnings) return
    const at = card ? toCardPointer(pointer) : pointer
    warnings.push({ pointer: truncateWarning(at), message: truncateWarning(message) })
  }
  const find = (pointer: string) => findByPointer(document, pointer)
  const followReferences = (ref: string, at: () => string): Located | undefined => {
    const seen = new Set<string>()
    let current = ref
    for (let hops = 0; hops < limits.maxRefHops; hops += 1) {
      if (!current.startsWith('#'))
        return warnOf(`External reference ${quoteReference(current)} is not resolved`)
      const pointer = refToPointer(current)
      if (seen.has(pointer)) return warnOf(`Reference ${quoteReference(ref)} is circular`)
      seen.add(pointer)
      const node = find(pointer)
      if (!isObject(node))
        return warnOf(`Reference ${quoteReference(current)} not found in the description`)
      const next = getRef(node)
      if (next === undefined) return { node, pointer }
      current = next
    }
    return warnOf(
      `Reference ${quoteReference(ref)} takes more than ${limits.maxRefHops} steps to resolve`,
    )

    function warnOf(message: string): undefined {
      warn(at(), message)
    }
  }
  const resolve = (node: unknown, at: () => string): Located | undefined => {
    if (!isObject(node)) return undefined
    const ref = getRef(node)
    if (ref === undefined) return { node, pointer: at() }
    const known = targets.get(ref)
    if (known !== undefined || targets.has(ref)) return known
    const target = followReferences(ref, at)
    targets.set(ref, target)
    return target
  }
  return {
    document,
    kind,
    isSwagger: kind === 'swagger-2.0',
    card,
    limits,
    warnings,
    warningCount: () => warningCount,
    warn,
    resolve,
    find,
  }
}

/** Keys of a description can be megabytes long. */
function truncateWarning(text: string): string {
  return text.length > MAX_WARNING ? `${text.slice(0, MAX_WARNING)}…` : text
}

const MAX_WARNING = 1000

function quoteReference(ref: string): string {
  return JSON.stringify(asText(ref).slice(0, 200))
}
