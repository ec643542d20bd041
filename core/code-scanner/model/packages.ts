import type { Environment, ServiceKind } from '../../vendors/package-rows.ts'
import type { RawFinding } from './finding.ts'
import type { LanguageFamily } from './language.ts'

/** An import of a module in a file of a language. */
export interface ImportUsage {
  /** As `Language.family`. */
  readonly family: string
  /** As `Import.module`. */
  readonly module: string
  /** As `Import.imported`: `storage` in `from google.cloud import storage`. */
  readonly imported?: string | undefined
}

/** A vendor's library. */
export interface PackageUsage {
  /** Package URL. */
  readonly package: string
  /** Base of the vendor's API. */
  readonly url: string
  /** The environments that the library can call, where it has several. */
  readonly environments?: readonly Environment[]
  /** Type of an AI service; absent for other services. */
  readonly kind?: ServiceKind
  /**
   * Whether the host is a guess: only a name in the path of a module shows the vendor, or people
   * mostly run the product themselves.
   */
  readonly isGuess?: true
}

/** A package, module or namespace that a file of the project declares. */
export interface OwnName {
  readonly family: LanguageFamily
  /** As imports name it. */
  readonly name: string
  /** Only files below this folder (with a final slash) mean it; undefined: all files do. */
  readonly folder?: string | undefined
  /** Package URL, if the file is the manifest of a published package. */
  readonly packageUrl?: string
  /** The known library of this name; absent if there is none. */
  readonly client?: OwnClient
}

/** A known client library of a vendor that a project implements. */
export interface OwnClient extends Pick<PackageUsage, 'package' | 'url'> {
  /** Whether the name is that of the package, rather than of a module or namespace. */
  readonly isPackage: boolean
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
}

/** An import or dependency of a vendor's library. */
export interface PackageFinding extends RawFinding {
  /** What is imported; undefined for a dependency. */
  readonly import?: { readonly family: LanguageFamily; readonly module: string } | undefined
  /** Whether it counts only where the project imports or depends on a library of that vendor. */
  readonly needsDependency?: true | undefined
  /** Whether the host is the vendor's default: the file only has the name of a setting. */
  readonly isDefault?: true | undefined
  /** Name of a dependency in the build; without `package`, the dependency is in another file. */
  readonly alias?: string | undefined
}

/** What a file says about which environment of a vendor it calls. */
export interface EnvironmentChoice {
  /** `PackageUse.url` of the library. */
  readonly library: string
  readonly environments: readonly Environment[]
  /** Names of environments that the code names. */
  readonly named: readonly string[]
  /** Chosen where nothing else is; undefined when unknown. */
  readonly fallback: string | undefined
  /** Whether the configuration chooses, so that any environment is possible. */
  readonly isOpen: boolean
}
