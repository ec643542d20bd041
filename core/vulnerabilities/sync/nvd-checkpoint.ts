/** Progress of a sync with NVD's API. Times are milliseconds since the epoch. */
export type NvdCheckpoint = NvdPassed | NvdReading

/** All changes up to `until` are loaded. */
export interface NvdPassed {
  readonly phase: 'done'
  readonly until: number
}

/** A pass over pages in progress: over all records, or over the changes in a window. */
export interface NvdReading {
  readonly phase: 'full' | 'window'
  /** How the sync began: a full one ends with windows, too. */
  readonly mode: 'full' | 'increment'
  /** `full`: the start of the pass; `window`: the start of the window. */
  readonly from: number
  /** End of the window; in a full pass the same as `from`. */
  readonly until: number
  /** When the source created the first page, by its own clock; undefined before. */
  readonly madeAt?: number | undefined
  /** Position of the first unread record. */
  readonly next: number
  /** Marks of the records before it, as from `toRecordMark`: the next page must repeat them. */
  readonly seam: readonly string[]
}

/** Serialises a checkpoint. */
export function formatNvdCheckpoint(checkpoint: NvdCheckpoint): string {
  return JSON.stringify({ version: VERSION, ...checkpoint })
}

/**
 * Parses a checkpoint; undefined if it is missing, invalid or of another version. A full load is
 * due then.
 */
export function parseNvdCheckpoint(text: string | undefined): NvdCheckpoint | undefined {
  const value = parseObject(text)
  if (value?.version !== VERSION) return undefined
  const { phase, mode, from, until, madeAt, next, seam } = value
  if (!isTime(until)) return undefined
  if (phase === 'done') return { phase, until }
  if ((phase !== 'full' && phase !== 'window') || !isTime(from) || !isTime(next)) return undefined
  if (mode !== 'full' && mode !== 'increment') return undefined
  if (!Array.isArray(seam) || seam.some((mark) => typeof mark !== 'string')) return undefined
  return { phase, mode, from, until, madeAt: isTime(madeAt) ? madeAt : undefined, next, seam }
}

const VERSION = 1

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
