import type { StoredScan } from '../../../core/storage.ts'
import { CONSOLE } from '../page.ts'

export type ScanKind = StoredScan['kind']

/** Path of the list of scans. */
export const SCANS_PATH = `${CONSOLE}/scans`

/** Returns the path of a scan's page. */
export function toScanPath({ kind, id }: Pick<StoredScan, 'kind' | 'id'>): string {
  return `${SCANS_PATH}/${kind}s/${encodeURIComponent(id)}`
}
