/** One of the environments of a vendor's API. */
export interface Environment {
  /** As code names it, in lower case: `sandbox`. */
  readonly name: string
  /** Base of the API there. */
  readonly url: string
}

/** Types of package URLs by the language that imports the packages, the most common first. */
export const PACKAGE_TYPES = {
  javascript: ['npm'],
  python: ['pypi'],
  go: ['golang'],
  java: ['maven'],
  ruby: ['gem'],
  php: ['composer'],
  'c-sharp': ['nuget'],
  rust: ['cargo'],
  swift: ['swift', 'cocoapods'],
  dart: ['pub'],
  elixir: ['hex'],
  /** Programs need no package. */
  shell: [],
} as const

/** Languages whose imports a row can name. */
export type ImportingLanguage = keyof typeof PACKAGE_TYPES

/**
 * Types of AI services: models (text, images, speech, embeddings), databases of vectors, tracing and
 * evaluation, and tools of agents (search, browsers, sandboxes, memory).
 */
export const SERVICE_KINDS = ['ai-models', 'vector-store', 'ai-observability', 'ai-tools'] as const

export type ServiceKind = (typeof SERVICE_KINDS)[number]

/** A vendor with the hosts of its API and its client libraries. */
export interface PackageRow {
  readonly vendor: string
  /** Base of the API; `{}` for what a user's account or region says. */
  readonly url: string
  /** Whether people mostly run the product themselves, so that its library hardly tells the host. */
  readonly selfHosted?: boolean | undefined
  /** Other hosts of the vendor; `{}` for an open label. */
  readonly hosts?: readonly string[] | undefined
  /** The environments that the library can call, where it has several; `url` is one of them. */
  readonly environments?: readonly Environment[] | undefined
  /** Package URLs without a version; a `*` at the end stands for any rest. */
  readonly packages: readonly string[]
  /**
   * Modules that are imported, by language, where they are not called like the package:
   * `{ java: ['com.stripe'] }`. Parts are joined by dots; what is below them belongs to them. For
   * the shell, programs with an optional command: `{ shell: ['gh', 'aws.s3'] }`.
   */
  readonly imports?:
    | { readonly [language in ImportingLanguage]?: readonly string[] | undefined }
    | undefined
  /** Absent for a service that is not about AI. */
  readonly kind?: ServiceKind | undefined
  /**
   * Names of the vendor in libraries that support many: `groq` for `@ai-sdk/groq`, `langchain-groq`
   * and the model `groq/llama-3.3-70b`; see `PROVIDER_PACKAGES`.
   */
  readonly providers?: readonly string[] | undefined
  /** Names of the vendor in libraries for the login with its accounts: `github` for `omniauth-github`. */
  readonly logins?: readonly string[] | undefined
  /** Names of models that the vendor serves; `*` replaces any characters: `gpt-*`. */
  readonly models?: readonly string[] | undefined
  /** Page that these facts come from: documentation of the vendor or of a client library. */
  readonly source?: string | undefined
}
