import { asList } from '../schemas/values.ts'

/**
 * Bounds on the cost of reading a description. Exceeding one rejects it; nothing is truncated
 * silently.
 */
export interface ImportLimits {
  /** Size of the source in bytes. */
  readonly maxBytes: number
  /** Nesting depth of objects and arrays. */
  readonly maxDepth: number
  /** Number of values; YAML aliases count each time they are used (see `yaml.ts`). */
  readonly maxNodes: number
  /** Characters of all strings and keys, counted in the same way. */
  readonly maxCharacters: number
  /** Characters of YAML text parsed again because of insufficient indentation (see `yaml.ts`). */
  readonly maxRereadCharacters: number
  /** Number of YAML aliases (`*name`). */
  readonly maxAliases: number
  /** Number of operations, webhooks and callbacks. */
  readonly maxOperations: number
  /** Number of `$ref`s in one chain. */
  readonly maxRefHops: number
  /** Characters of all endpoints; shared parts count for each (see `extract/budget.ts`). */
  readonly maxStoredCharacters: number
  /** Number of reported warnings; later ones are only counted. */
  readonly maxWarnings: number
}

/**
 * Accepts the largest known descriptions (20 MB, 11,000 operations, 1,100,000 values) and rejects
 * any that would need more than about 300 MB of memory.
 */
export const DEFAULT_IMPORT_LIMITS: ImportLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxDepth: 100,
  maxNodes: 2_000_000,
  maxCharacters: 64 * 1024 * 1024,
  maxRereadCharacters: 32 * 1024 * 1024,
  maxAliases: 10_000,
  maxOperations: 30_000,
  maxRefHops: 100,
  maxStoredCharacters: 96 * 1024 * 1024,
  maxWarnings: 200,
}

/**
 * Bounds on the stored data of one endpoint, which is always read as a whole. Data beyond is
 * dropped with a warning. Real endpoints have up to 100 parameters, 150 allowed values and 60 KB.
 */
export const ENDPOINT_LIMITS = {
  /** Characters of a path template including its server, or of a key. */
  maxPath: 4000,
  maxParameters: 2000,
  /** Number of allowed values of one parameter. */
  maxEnum: 10_000,
  /** Number of security alternatives, and of schemes in one. */
  maxAlternatives: 100,
  maxSchemes: 20,
  /**
   * Number of tags, scopes, statuses, media types, servers, variables of a server and their values.
   */
  maxItems: 1000,
  /** Characters of a description or of a documented value. */
  maxText: 100_000,
  /** Characters of the name of a parameter, tag, scope or operation. */
  maxName: 1000,
  /** Total characters of one endpoint. */
  maxKept: 512 * 1024,
} as const

/** Reads one item more than is stored, so that `bounds.ts` cuts it and warns. */
export function limitItems(value: unknown): readonly unknown[] {
  return asList(value).slice(0, ENDPOINT_LIMITS.maxItems + 1)
}
