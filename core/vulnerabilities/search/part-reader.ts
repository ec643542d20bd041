import { ServiceError } from '../../http/problems.ts'
import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import type { PartSet, VulnerabilityStore } from '../store.ts'

/**
 * Reads parts that a manifest names. Throws a `ServiceError` with code `conflict` when one is gone:
 * the reader is so slow that its generation was swept.
 */
export function readParts(
  store: Pick<VulnerabilityStore, 'readParts'>,
  set: PartSet,
  numbers: readonly number[],
): MaybePromise<readonly Uint8Array[]> {
  if (numbers.length === 0) return []
  return chain(store.readParts(set, numbers), (found) => found.map((part) => part ?? lose()))
}

/** Reads all parts of a set, in order. Throws as `readParts` does. */
export function readSet(
  store: Pick<VulnerabilityStore, 'readParts'>,
  set: PartSet,
  count: number,
): MaybePromise<readonly Uint8Array[]> {
  return readParts(
    store,
    set,
    Array.from({ length: count }, (_, number) => number),
  )
}

/** Throws what a reader gets whose generation is gone. */
export function lose(): never {
  throw new ServiceError(
    'conflict',
    'Cannot read on: the vulnerabilities were loaded anew meanwhile, ask again',
  )
}
