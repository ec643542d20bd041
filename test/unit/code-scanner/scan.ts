import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import type { ScanCatalogue } from '../../../core/code-scanner/find/confirm-findings.ts'
import type { ProjectFindings } from '../../../core/code-scanner/model/finding.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

export const grammars = await openGrammars(['tsx', 'typescript'])

/** Reason to skip syntax tests, or false. */
export const skipsSyntax = grammars === undefined && 'no grammars installed'

/** A catalogue without endpoints. */
export const emptyCatalogue: ScanCatalogue = { match: () => undefined }

/** Scans files from a map of paths to texts. */
export function scanFiles(
  files: Readonly<Record<string, string>>,
  catalogue: ScanCatalogue = emptyCatalogue,
): Promise<ProjectFindings> {
  const list = Object.entries(files).map(([path, text]) => ({ path, text }))
  return scanProject({ files: list, grammars, catalogue })
}

/** Scans one TypeScript text. Returns findings as `line via method url`. */
export async function scanTypeScript(text: string): Promise<readonly string[]> {
  const { findings } = await scanFiles({ 'a.ts': text })
  return findings.map(({ line, via, method, url }) => `${line} ${via} ${method ?? '-'} ${url}`)
}
