import { ServiceError } from '../../errors.ts'
import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import type { PartSet, VulnerabilityStore } from '../store.ts'

/**
 * Reads parts that a manifest names. Throws a `ServiceError` with code `conflict` if one is
 * missing: the reader was so slow that its generation was swept.
 */
export function readParts(
  store: Pick<VulnerabilityStore, 'readParts'>,
  set: PartSet,
  numbers: readonly number[],
): MaybePromise<readonly Uint8Array[]> {
  if (numbers.length === 0) return []
  return chain(store.readParts(set, numbers), (found) =>
    found.map((part) => part ?? throwGenerationSwept()),
  )
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

/** Throws the error for a reader whose generation was swept. */
export function throwGenerationSwept(): never {
  throw new ServiceError(
    'conflict',
    'Cannot continue: a newer data load replaced this result. Repeat the request.',
  )
}
