import type { Pattern } from './pattern.ts'

/** Models of AI services that a file names, and where its clients of them send requests. */
export interface AiUsage {
  readonly models: readonly NamedModel[]
  /** Bases that clients of model providers are given, in order of the text. */
  readonly bases: readonly ClientBase[]
  /** Libraries (`PackageUsage.url`) with a client that keeps its own base. */
  readonly defaults: readonly string[]
}

/** The name of a model at its location. */
export interface NamedModel {
  /** As written, with the prefix of a provider if any: `gpt-4o`, `anthropic/claude-sonnet-4-0`. */
  readonly name: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** Package URL of a library that selects the provider by the name. */
  readonly router?: string
  /** True if only its position shows that it names a model, not its spelling. */
  readonly isLoose?: true
}

/** A base that replaces the one of a vendor's library. */
export interface ClientBase {
  /** `PackageUsage.url` of the library. */
  readonly library: string
  readonly url: Pattern
  readonly line: number
  readonly column: number
}
