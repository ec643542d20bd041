/** What a description may cost to read. Everything beyond is refused, never truncated silently. */
export interface ImportLimits {
  /** Bytes of the source. */
  readonly maxBytes: number
  /** Nesting of objects and arrays. */
  readonly maxDepth: number
  /** Values, those that YAML aliases repeat counted as often as they occur (see `yaml.ts`). */
  readonly maxNodes: number
  /** Characters of all strings and keys, counted the same way. */
  readonly maxCharacters: number
  /** Characters of YAML text parsed again since lines of it are indented too little (see `yaml.ts`). */
  readonly maxRereadCharacters: number
  /** YAML aliases (`*name`). */
  readonly maxAliases: number
  /** Operations, webhooks and callbacks. */
  readonly maxOperations: number
  /** `$ref`s followed one after another. */
  readonly maxRefHops: number
  /** Characters of all endpoints, what they share counted for each (see `extract/budget.ts`). */
  readonly maxKept: number
  /** Warnings reported; later ones are only counted. */
  readonly maxWarnings: number
}

/**
 * Room for the largest descriptions there are (20 MB, 11,000 operations, 1,100,000 values), and
 * none for what would take more than about 300 MB of memory.
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
  maxKept: 96 * 1024 * 1024,
  maxWarnings: 200,
}

/**
 * What one endpoint may store: whatever reads it, reads all of it. What is beyond is left out with a
 * warning. Real endpoints have up to 100 parameters, 150 allowed values and 60 KB.
 */
export const ENDPOINT_BOUNDS = {
  /** Characters of a path template, with its server, or of a key. */
  maxPath: 4000,
  maxParameters: 2000,
  /** Allowed values of one parameter. */
  maxEnum: 10_000,
  /** Alternatives of security, and schemes of one. */
  maxAlternatives: 100,
  maxSchemes: 20,
  /** Tags, scopes, statuses, media types, servers, variables of a server and their values. */
  maxItems: 1000,
  /** Characters of a description or of a documented value. */
  maxText: 100_000,
  /** Characters of a name: of a parameter, a tag, a scope, an operation. */
  maxName: 1000,
  /** Characters of all of one endpoint. */
  maxKept: 512 * 1024,
} as const
