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
  /** `$ref`s followed one after another. */
  readonly maxRefHops: number
  /** Characters of all endpoints, what they share counted for each (see `extract/budget.ts`). */
  readonly maxKept: number
  /** Warnings reported; later ones are only counted. */
  readonly maxWarnings: number
}

/** Room for the largest descriptions there are (20 MB, 11,000 operations), none for bombs. */
export const DEFAULT_IMPORT_LIMITS: ImportLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxDepth: 100,
  maxNodes: 4_000_000,
  maxCharacters: 64 * 1024 * 1024,
  maxRereadCharacters: 32 * 1024 * 1024,
  maxAliases: 10_000,
  maxRefHops: 100,
  maxKept: 256 * 1024 * 1024,
  maxWarnings: 200,
}
