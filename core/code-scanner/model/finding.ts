import type { ServiceKind } from '../../vendors/package-rows.ts'

/** How a usage was found. */
export const FOUND_VIA = [
  /** A call of a client whose URL is known. */
  'call',
  /** A URL in code; how it is called is unknown. */
  'literal',
  /** A base that calls of this or another file build on. */
  'base',
  /** A value of a configuration file. */
  'config',
  /** An import of a vendor's library, a command of its tool, a script tag of its client. */
  'import',
  /** A vendor's library, Terraform provider or CI action in a manifest. */
  'manifest',
  /** The project's own package is a client library of the vendor. */
  'own-package',
  /** The name of a model, given to a library that selects the provider by it. */
  'model',
  /** A call whose host users set; a name in the code shows the vendor. */
  'name',
] as const

export type FoundVia = (typeof FOUND_VIA)[number]

/** Evidence that contains an address in the code. */
export const ADDRESSES: ReadonlySet<FoundVia> = new Set(['call', 'base', 'literal'])

/** Roles of usages in a project, most relevant first. */
export const USAGE_ROLES = [
  'production',
  'build',
  'example',
  'test',
  'generated',
  /** A build fetches a file that is installed, such as an archive of a release. */
  'download',
  /** The host belongs to the project itself. */
  'own-host',
] as const

export type UsageRole = (typeof USAGE_ROLES)[number]

/** One use of a third-party API, before it is matched to the catalogue. */
export interface RawFinding {
  /** Path below the scanned folder, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /**
   * `https://api.example.com/v1/users/{}`: `{}` for what is not known. Without a scheme where the
   * text has none. The vendor's base where only a library is known. Of a `Finding`, without secrets.
   */
  readonly url: string
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
  readonly via: FoundVia
  /** 0 to 1, two decimals. */
  readonly confidence: number
  /** Package URL of a vendor's library, without a version unless a manifest fixes one. */
  readonly package: string | undefined
  /** Package URL with the lowest version that a manifest permits; absent if it fixes one. */
  readonly lowestPackage?: string
  /** Role of a library that only builds or tests need, and of a file to install; absent for others. */
  readonly dependencyRole?: 'build' | 'test' | 'download'
  /** Bases of the vendor's other environments, which the code may choose; absent for none. */
  readonly alternatives?: readonly string[]
  /** Type of an AI service; absent for others. */
  readonly kind?: UsageKind
  /** Names of the models that the code requests of the service; absent for none. */
  readonly models?: readonly string[]
}

/** Type of an AI service, or a server of tools for models (Model Context Protocol). */
export type UsageKind = ServiceKind | 'mcp-server'

/** A finding with what the catalogue knows of it. */
export interface Finding extends RawFinding {
  /**
   * The URL in the form that all uses of one endpoint share: without user, default port, final slash,
   * query and fragment; where the endpoint is known, `{}` for its parameters.
   */
  readonly endpointUrl: string
  /** Lower case, without a port. */
  readonly host: string
  /** Registrable domain of the host, or the host. */
  readonly domain: string
  /** Short id; undefined where no endpoint is known. */
  readonly endpointId: string | undefined
  readonly apiId: number | undefined
  readonly apiName: string | undefined
  /** Also where only the vendor is known. */
  readonly vendorName: string | undefined
  /** APIs of the vendor, one of which it is; absent where the API is known, or the catalogue has none. */
  readonly candidates?: readonly string[]
  /** Present if the host belongs to the project itself. */
  readonly isOwnHost?: true
}

/** A file to look at. */
export interface SourceFile {
  /** Path below the scanned folder, with `/`. */
  readonly path: string
  readonly text: string
}

/** A host that no catalogued API has. */
export interface UnmatchedHost {
  readonly host: string
  readonly domain: string
  readonly vendorName: string | undefined
  readonly count: number
}

/** A host that several catalogued APIs of one vendor share: which of them is called is unknown. */
export interface AmbiguousHost extends UnmatchedHost {
  /** Names of the APIs, each once. */
  readonly candidates: readonly string[]
}

/**
 * A call whose host the project does not tell: a user of it says where it goes. `literal` is a path
 * below what is called an API's base.
 */
export interface UnresolvedCall extends Omit<RawFinding, 'package'> {
  /** `{}/v1/users`: what is known of it, without a query. */
  readonly url: string
}

/** Calls of a wrapper that the project file names. */
export interface WrapperCalls {
  /** The row of the project file. */
  readonly row: string
  readonly calls: number
  /** Number of calls whose host is unknown. */
  readonly unresolved: number
}

/** A file or folder that could not be read or scanned. */
export interface UnreadFile {
  /** Relative to the project folder; the path of a folder ends with a slash. */
  readonly path: string
  /** `failed`: the scan of the file crashed or took too long. */
  readonly reason: 'unreadable' | 'failed'
}

/** What a scan of a project found. */
export interface ProjectFindings {
  /** Files that were read. */
  readonly files: number
  /** Files that were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Unreadable and failed files by path, at most 20 of each; absent if there are none. */
  readonly unread?: readonly UnreadFile[]
  /** By file, line, column. */
  readonly findings: readonly Finding[]
  /** Hosts of production code first, then the most frequent, then by name. */
  readonly unmatched: readonly UnmatchedHost[]
  /** In the same order. */
  readonly ambiguous: readonly AmbiguousHost[]
  /** By file, line, column; none of them is among the findings. */
  readonly unresolved: readonly UnresolvedCall[]
  /**
   * Wrappers of the project file without calls, or with calls whose host is unknown; absent if
   * there are none.
   */
  readonly unresolvedWrappers?: readonly WrapperCalls[]
}
