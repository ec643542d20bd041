import { RUNTIME } from './script.ts'

const isFull = RUNTIME === 'node' || process.env.API_DISCOVERY_LONG !== undefined
const SHARE = 5

/**
 * How often to try what does not depend on the runtime: in full on Node and where
 * `API_DISCOVERY_LONG` is set, a fifth of it elsewhere.
 */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / SHARE)
}

/** The same of cases: all of them, or every fifth. */
export function casesOf<T>(all: readonly T[]): readonly T[] {
  return isFull ? all : all.filter((_, index) => index % SHARE === 0)
}
