import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import { findLastNotAfter } from '../index/dictionary.ts'
import { findProducts } from '../index/product-names.ts'
import { toVendorKey } from '../names.ts'
import type { VulnerabilityStore } from '../store.ts'
import type { IndexReader } from './index-reader.ts'
import { readParts } from './part-reader.ts'

/**
 * Returns the spellings of a vendor in the index, by `<`: without regard to case, punctuation and a
 * legal form at the end. An unknown vendor may be among them.
 */
export function findVendorNames(
  store: Pick<VulnerabilityStore, 'readParts'>,
  index: IndexReader,
  vendor: string,
): MaybePromise<readonly string[]> {
  const key = toVendorKey(vendor)
  const known = KNOWN.get(index) ?? new Map<string, MaybePromise<readonly string[]>>()
  KNOWN.set(index, known)
  const found = known.get(key)
  if (found) return found
  const read = chain(index.readDirectory(), ({ firstKeys }) => {
    const number = findLastNotAfter(firstKeys, key)
    if (number === undefined) return [key]
    const set = { id: index.manifest.id, name: 'aliases' }
    return chain(readParts(store, set, [number]), ([part]) => {
      const names = part ? findProducts(part, key) : []
      return names.length > 0 ? names : [key]
    })
  })
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, read)
  if (read instanceof Promise) read.catch(() => known.delete(key))
  return read
}

const MAX_KNOWN = 1000
const KNOWN = new WeakMap<IndexReader, Map<string, MaybePromise<readonly string[]>>>()
