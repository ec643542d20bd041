import { RUNTIME } from './script.ts'

const isLong = process.env.API_DISCOVERY_LONG !== undefined

/**
 * True where everything is tested: on Node, and everywhere with `API_DISCOVERY_LONG`. Elsewhere a
 * test of what the runtime does not change is left out or smaller, such as golden answers over
 * PostgreSQL, whose differences the conformance suite tests on every runtime.
 */
export const isFull = RUNTIME === 'node' || isLong
const SHARE = 5

/**
 * How often to try what does not depend on the runtime: in full on Node and where
 * `API_DISCOVERY_LONG` is set, a fifth of it elsewhere.
 */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / SHARE)
}

/**
 * A fifth on every runtime, and in full where `API_DISCOVERY_LONG` is set: of what another storage
 * is tried with in full.
 */
export function someRuns(full: number): number {
  return isLong ? full : Math.ceil(full / SHARE)
}

/** The same of cases: all of them, or every fifth. Other shares begin elsewhere. */
export function casesOf<T>(all: readonly T[], from = 0): readonly T[] {
  return isFull ? all : toShare(all, from)
}

/** The same as `someRuns` of cases: every fifth. */
export function someOf<T>(all: readonly T[], from = 0): readonly T[] {
  return isLong ? all : toShare(all, from)
}

function toShare<T>(all: readonly T[], from: number): readonly T[] {
  return all.filter((_, index) => (index + from) % SHARE === 0)
}
