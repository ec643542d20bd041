import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import type { PackageReference } from '../../shared/package-urls.ts'
import { createYieldIfDue } from '../../shared/time-slices.ts'
import { toAffectedProducts } from '../affected-products.ts'
import { splitWords } from '../index/words.ts'
import type { AffectedProduct, CveRecord } from '../records.ts'
import type { StoredRecord } from '../store.ts'
import { unpackProducts } from '../stored/products.ts'
import { fromStoredRecord } from '../stored-record.ts'
import { toVersionText } from '../versions.ts'
import { createExtender } from './extender.ts'
import type { SearchedIndex } from './find-documents.ts'
import { chainAll } from './index-reader.ts'
import { selectPackageProducts } from './package-filter.ts'
import { throwGenerationSwept } from './part-reader.ts'
import { type ProductFilter, selectProducts } from './product-filter.ts'
import type { CveHit, NamedProduct } from './results.ts'
import { includesSorted } from './sorted-lists.ts'

/** The hits to read. */
export interface HitRange {
  /** All matches, ascending. */
  readonly documents: Uint32Array
  /** Positions counted from the newest match, which is 0; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** The words of the term. */
  readonly words: readonly string[]
  /** Documents in which a word occurs in a vendor or product name, ascending. */
  readonly named: Uint32Array
  /** The query's conditions on an affected product. */
  readonly filter: ProductFilter | undefined
  readonly wantedPackage: PackageReference | undefined
  readonly isExtended: boolean
}

/**
 * Reads hits in batches, newest first. With an asynchronous storage, the next batch is read while
 * the current one is written. Throws a `ServiceError` with code `conflict` if records are missing.
 */
export async function* readHits(
  searched: SearchedIndex,
  range: HitRange,
): AsyncIterable<readonly CveHit[]> {
  const { documents, start, end } = range
  const rowIds = await searched.index.column('rowId')
  const extend = range.isExtended ? await createExtender(searched.snapshot) : undefined
  const size = range.isExtended ? EXTENDED_BATCH : BATCH
  const read = (from: number) => {
    const last = documents.length - 1
    const length = Math.min(size, end - from)
    const batch = Array.from({ length }, (_, index) => documents[last - from - index] as number)
    return chain(readRecords(searched, { ...range, batch, rowIds }), (records) =>
      records.map((record, index) =>
        toCveHit(record ?? throwGenerationSwept(), { document: batch[index] ?? 0, range, extend }),
      ),
    )
  }
  const pause = createYieldIfDue()
  let ahead: MaybePromise<readonly CveHit[]> | undefined
  for (let from = start; from < end; from += size) {
    const reading = ahead ?? read(from)
    const hits = await reading
    ahead = reading instanceof Promise && from + size < end ? read(from + size) : undefined
    // If the caller stops early, nothing awaits this promise.
    if (ahead instanceof Promise) ahead.catch(() => undefined)
    yield hits
    const turn = pause()
    if (turn) await turn
  }
}

const BATCH = 400
const EXTENDED_BATCH = 100

/** Reads products only for documents whose best product may not be the first one. */
function readRecords(
  { store }: SearchedIndex,
  range: HitRange & { readonly batch: readonly number[]; readonly rowIds: Uint32Array },
): MaybePromise<readonly (StoredRecord | undefined)[]> {
  const { batch, rowIds, named, filter } = range
  const toRowIds = (numbers: readonly number[]) => numbers.map((each) => rowIds[each] as number)
  if (range.isExtended || range.wantedPackage) return store.readRecords(toRowIds(batch), 'all')
  if (filter) return store.readRecords(toRowIds(batch), 'products')
  if (named.length === 0) return store.readRecords(toRowIds(batch), 'line')
  const isNamed = batch.map((document) => includesSorted(named, document))
  const read = (wanted: boolean, what: 'line' | 'products') => {
    const chosen = batch.filter((_, index) => isNamed[index] === wanted)
    return chosen.length === 0 ? [] : store.readRecords(toRowIds(chosen), what)
  }
  return chain(chainAll([read(false, 'line'), read(true, 'products')]), ([plain, other]) => {
    let [plainAt, otherAt] = [0, 0]
    return isNamed.map((is) => (is ? other?.[otherAt++] : plain?.[plainAt++]))
  })
}

function toCveHit(
  stored: StoredRecord,
  from: {
    readonly document: number
    readonly range: HitRange
    readonly extend: Awaited<ReturnType<typeof createExtender>> | undefined
  },
): CveHit {
  const { document, extend, range } = from
  const { wantedPackage } = range
  const record = extend || wantedPackage ? fromStoredRecord(stored) : undefined
  const best =
    wantedPackage && record
      ? findPackageProduct(record, wantedPackage)
      : range.filter || includesSorted(range.named, document)
        ? findBestProduct(unpackProducts(stored.products).listed, range)
        : undefined
  const extended = record && extend?.(record, document)
  return { line: stored.line, ...(best && { named: best }), ...(extended && { extended }) }
}

/** Returns the package's product; undefined if the record lists those of NVD instead. */
function findPackageProduct(
  { configurations, reported = [] }: CveRecord,
  wanted: PackageReference,
): NamedProduct | undefined {
  if (toAffectedProducts(configurations).length > 0) return undefined
  const [product] = selectPackageProducts(reported, wanted)
  return product && toNamedProduct(product)
}

/**
 * Finds the affected product whose vendor and product names contain most of the words. Among equal
 * ones, the product name with more words wins, then the first. With a filter, only matching
 * products count. Returns undefined if the result equals the record's first product.
 */
function findBestProduct(
  products: readonly AffectedProduct[],
  wanted: { readonly words: readonly string[]; readonly filter: ProductFilter | undefined },
): NamedProduct | undefined {
  const { words, filter } = wanted
  const selected = filter ? selectProducts(products, filter) : products
  // The filter may match only reported products, which are not listed.
  const candidates = selected.length > 0 ? selected : products
  let best = candidates[0]
  let bestRank = 0
  for (const affected of candidates) {
    const inProduct = countContained(words, splitWords(affected.product))
    const inAll =
      inProduct === words.length
        ? inProduct
        : countContained(words, [...splitWords(affected.vendor), ...splitWords(affected.product)])
    const rank = inAll * (words.length + 1) + inProduct
    if (rank > bestRank) {
      best = affected
      bestRank = rank
    }
    if (inProduct === words.length) break
  }
  const named = best && toNamedProduct(best)
  const first = products[0] && toNamedProduct(products[0])
  const isFirst =
    named?.vendor === first?.vendor &&
    named?.product === first?.product &&
    named?.version === first?.version
  return isFirst ? undefined : named
}

/** Names a product with its first version. */
function toNamedProduct({ vendor, product, versions }: AffectedProduct): NamedProduct {
  return { vendor, product, version: toVersionText(versions[0] ?? '-') }
}

function countContained(words: readonly string[], names: readonly string[]): number {
  let count = 0
  for (const word of words) if (names.includes(word)) count += 1
  return count
}
