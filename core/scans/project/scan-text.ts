import type { FileScan } from './file-scan.ts'
import type { RawFinding, SourceFile } from './finding.ts'
import type { Grammars } from './syntax.ts'

/** What a scan of texts needs beside the texts. */
export interface ScanTextOptions {
  /** Undefined where there are none: then only texts that need none are read. */
  readonly grammars: Grammars | undefined
  /** Vendor's library that an imported module belongs to; undefined for others. */
  readonly findPackage?: ((use: ImportUse) => PackageUse | undefined) | undefined
  /** The vendor's library that a package URL (its version apart) names; undefined for others. */
  readonly findDependency?: ((packageUrl: string) => PackageUse | undefined) | undefined
  /** What is found in a program's text when it cannot be parsed. */
  readonly scanLexically?: ((file: SourceFile) => readonly RawFinding[]) | undefined
}

/** An import of a module in a file of a language. */
export interface ImportUse {
  /** As `Language.family`. */
  readonly family: string
  /** As `Import.module`. */
  readonly module: string
  /** As `Import.imported`: `storage` in `from google.cloud import storage`. */
  readonly imported?: string | undefined
}

/** A vendor's library. */
export interface PackageUse {
  /** Package URL. */
  readonly package: string
  /** Base of the vendor's API. */
  readonly url: string
}

/**
 * Scans one text: parses it, finds calls, URLs and bases as far as the text alone tells them, and
 * lets the text go. Undefined where the text says nothing. Its work is bounded; it never throws.
 */
export function scanText(file: SourceFile, options: ScanTextOptions): FileScan | undefined {
  void file
  void options
  return undefined
}
