import { RUNTIME } from './script.ts'

/** True with `API_DISCOVERY_LONG`, which runs every test in full on every runtime. */
const isLong = process.env.API_DISCOVERY_LONG !== undefined

/**
 * True on Node, and everywhere with `API_DISCOVERY_LONG`. Other runs skip or reduce
 * runtime-independent tests, such as golden responses on PostgreSQL. The conformance suite covers
 * storage differences on every runtime.
 */
export const isFull = RUNTIME === 'node' || isLong
const SHARE = 5
/** Share of the runs that differ in data only. */
const DATA_SHARE = isLong ? 1 : RUNTIME === 'node' ? SHARE : SHARE ** 2

/**
 * Returns the number of runs that differ in data only, such as random ones: all with
 * `API_DISCOVERY_LONG`, else a fifth on Node and a twenty-fifth on the other runtimes.
 */
export function runs(full: number): number {
  return Math.ceil(full / DATA_SHARE)
}

/** Selects cases that differ in data only: the share of `runs`, starting at `from`. */
export function someOf<T>(all: readonly T[], from = 0): readonly T[] {
  return toShare(all, { share: DATA_SHARE, from })
}

/** Selects distinct cases: all on Node and with `API_DISCOVERY_LONG`, else every fifth. */
export function casesOf<T>(all: readonly T[], from = 0): readonly T[] {
  return toShare(all, { share: isFull ? 1 : SHARE, from })
}

/**
 * Selects the storages of a test, SQLite first: all on Node and with `API_DISCOVERY_LONG`, else the
 * first one. The conformance suite runs on PostgreSQL on every runtime.
 */
export function storagesOf<T>(all: readonly T[]): readonly T[] {
  return isFull ? all : all.slice(0, 1)
}

function toShare<T>(
  all: readonly T[],
  { share, from }: { readonly share: number; readonly from: number },
): readonly T[] {
  // A short list has one case at least.
  const step = Math.min(share, all.length)
  return all.filter((_, index) => (index + from) % step === 0)
}
