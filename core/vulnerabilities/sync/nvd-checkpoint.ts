/** How far a sync with NVD's API has come. Times are milliseconds since the epoch. */
export type NvdCheckpoint = NvdPassed | NvdReading

/** Everything that had changed until then is loaded. */
export interface NvdPassed {
  readonly phase: 'done'
  readonly until: number
}

/** A pass over pages is under way: over all records, or over those that changed in a window. */
export interface NvdReading {
  readonly phase: 'full' | 'window'
  /** What the sync began as: a full one ends with windows too. */
  readonly mode: 'full' | 'increment'
  /** `full`: when the pass began; `window`: its beginning. */
  readonly from: number
  /** The window's end; of a full pass the same as `from`. */
  readonly until: number
  /** When the source made the first page, by its own clock; undefined before. */
  readonly madeAt?: number | undefined
  /** Position of the first record that was not read. */
  readonly next: number
  /** The records before it, as `toMark` writes them: they have to come again. */
  readonly seam: readonly string[]
}

/** JSON of a checkpoint. */
export function formatNvdCheckpoint(checkpoint: NvdCheckpoint): string {
  return JSON.stringify({ version: VERSION, ...checkpoint })
}

/** Reads a checkpoint; undefined for what is none or of another version: a full load is due. */
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
