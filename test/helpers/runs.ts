import { RUNTIME } from './script.ts'

const isLong = process.env.API_DISCOVERY_LONG !== undefined

/**
 * True for full test runs: on Node, and everywhere with `API_DISCOVERY_LONG`. Other runs skip or
 * reduce runtime-independent tests, such as golden responses on PostgreSQL. The conformance suite
 * covers storage differences on every runtime.
 */
export const isFull = RUNTIME === 'node' || isLong
const SHARE = 5

/**
 * Returns the number of runs of a runtime-independent test: all on Node and with
 * `API_DISCOVERY_LONG`, else a fifth.
 */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / SHARE)
}

/**
 * Returns a fifth of the runs, or all with `API_DISCOVERY_LONG`: for tests that another storage
 * runs in full.
 */
export function someRuns(full: number): number {
  return isLong ? full : Math.ceil(full / SHARE)
}

/**
 * Selects the storages of a test, SQLite first: all in full runs, else the first one. The
 * conformance suite runs on PostgreSQL on every runtime.
 */
export function storagesOf<T>(all: readonly T[]): readonly T[] {
  return isFull ? all : all.slice(0, 1)
}

/** Selects all cases, or every fifth, starting at `from`. */
export function casesOf<T>(all: readonly T[], from = 0): readonly T[] {
  return isFull ? all : toShare(all, from)
}

/** Selects cases like `someRuns`: every fifth. */
export function someOf<T>(all: readonly T[], from = 0): readonly T[] {
  return isLong ? all : toShare(all, from)
}

function toShare<T>(all: readonly T[], from: number): readonly T[] {
  return all.filter((_, index) => (index + from) % SHARE === 0)
}
