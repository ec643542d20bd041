import type { KeptScan } from '../../../core/index.ts'
import { CONSOLE } from '../page.ts'

export type ScanKind = KeptScan['kind']

/** Where scans are listed. */
export const SCANS_PATH = `${CONSOLE}/scans`

/** The page of a scan. */
export function toScanPath({ kind, id }: Pick<KeptScan, 'kind' | 'id'>): string {
  return `${SCANS_PATH}/${kind}s/${encodeURIComponent(id)}`
}
