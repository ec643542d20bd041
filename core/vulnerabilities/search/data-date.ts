import type { CveAuthority } from '../records.ts'
import type { SourceState } from '../store.ts'

/**
 * Returns the date of a source's data, in milliseconds since the epoch; undefined if unknown. For
 * records, it is the newest change of a record of the source's authority.
 */
export function findDataDate(
  { name, checkpoint, loadedAt }: SourceState,
  newest: Readonly<Record<CveAuthority, number>> | undefined,
): number | undefined {
  if (loadedAt === undefined) return undefined
  if (name === 'kev') return readCheckpointTime(checkpoint, 'releasedAt')
  if (name === 'epss') return readCheckpointTime(checkpoint, 'scoredAt')
  if (!newest) return undefined
  const time = AUTHORITIES.has(name)
    ? newest[AUTHORITIES.get(name) ?? 'nvd']
    : Math.max(newest.nvd, newest.cve)
  return time < 0 ? undefined : time
}

/** Authorities by source; the others may load records of any. */
const AUTHORITIES: ReadonlyMap<string, CveAuthority> = new Map([
  ['nvd', 'nvd'],
  ['nvd-files', 'nvd'],
  ['cve', 'cve'],
  ['cve-files', 'cve'],
])

/** Reads a time of a checkpoint of `syncKev` or `syncEpss`; undefined if it has none. */
function readCheckpointTime(checkpoint: string, name: string): number | undefined {
  try {
    const value: unknown = Object(JSON.parse(checkpoint))[name]
    return typeof value === 'number' ? value : undefined
  } catch {
    // A host may store other checkpoints.
    return undefined
  }
}
