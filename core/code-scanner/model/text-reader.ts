import type { SourceFile } from './finding.ts'
import type { PackageFinding, PackageUsage } from './packages.ts'

/** Finds the vendors' libraries that manifests name. */
export interface DependencyFinder {
  /** The library of a package URL, regardless of its version; undefined for others. */
  readonly findDependency?: ((packageUrl: string) => PackageUsage | undefined) | undefined
}

/** Reads texts that are no programs: configuration, manifests. */
export interface TextReader {
  /** By the file's path alone. */
  readonly fits: (path: string) => boolean
  /** What the text uses; URLs may still be noise, which is judged later. Never throws. */
  readonly read: (file: SourceFile, options: DependencyFinder) => readonly PackageFinding[]
  /** Names that programs of the project read from the environment, with their values (`.env`). */
  readonly names?: (file: SourceFile) => Readonly<Record<string, string>>
}
