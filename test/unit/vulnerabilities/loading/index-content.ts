import { INDEX_COLUMNS, toCveId } from '../../../../core/vulnerabilities/index/columns.ts'
import { parseManifest } from '../../../../core/vulnerabilities/index/manifest.ts'
import {
  unpackDocuments,
  unpackPositions,
} from '../../../../core/vulnerabilities/index/postings.ts'
import { unpackNames } from '../../../../core/vulnerabilities/index/product-names.ts'
import {
  readColumn,
  readDirectory,
  readIndexColumns,
  readParts,
  readSet,
  readTerms,
} from '../../../../core/vulnerabilities/index/read-index.ts'
import { isWordTerm } from '../../../../core/vulnerabilities/index/terms.ts'
import type { VulnerabilityStore } from '../../../../core/vulnerabilities/store.ts'
import { fromStoredRecord } from '../../../../core/vulnerabilities/stored-record.ts'

/** Everything that readers can see, without row IDs and set IDs. */
export async function readContent(store: VulnerabilityStore) {
  const manifest = parseManifest((await store.readManifest())?.manifest)
  const { index, overlay } = manifest
  if (!index) return undefined
  const columns = await readIndexColumns(store, index)
  const { rowId, cve, ...others } = columns
  const ids = [...cve].map(toCveId)
  const records = await store.readRecords([...rowId], 'all')
  const { firstVendors } = await readDirectory(store, index)
  const numbers = firstVendors.map((_, number) => number)
  const products = await readParts(store, { id: index.id, name: 'products' }, numbers)
  const vendorBytes = { id: index.id, name: 'vendors', bytes: index.vendorBytes }
  const { id: _, blocks: _blocks, directoryBytes: _bytes, ...counts } = index
  return {
    counts,
    ids,
    columns: Object.fromEntries(
      INDEX_COLUMNS.filter((name) => name !== 'rowId' && name !== 'cve').map((name) => [
        name,
        [...others[name as keyof typeof others]],
      ]),
    ),
    records: records.map((record) => record && fromStoredRecord(record)),
    terms: await readPostings(store, ids),
    vendors: JSON.parse(new TextDecoder().decode(await readSet(store, vendorBytes))) as unknown,
    products: products.flatMap(unpackNames),
    epss: overlay && [
      ...(await readColumn(store, { id: overlay.id, name: 'epss', length: ids.length })),
    ],
    percentile: overlay && [
      ...(await readColumn(store, { id: overlay.id, name: 'percentile', length: ids.length })),
    ],
    kevDay: overlay && [
      ...(await readColumn(store, { id: overlay.id, name: 'kevDay', length: ids.length })),
    ],
    overlayFlags: overlay && [
      ...(await readColumn(store, { id: overlay.id, name: 'overlayFlags', length: ids.length })),
    ],
  }
}

/** Each term with its documents and, for a word, its positions in them. */
async function readPostings(
  store: VulnerabilityStore,
  ids: readonly string[],
): Promise<Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>> {
  const { index } = parseManifest((await store.readManifest())?.manifest)
  const found: Record<string, Record<string, readonly number[]>> = {}
  let before = ''
  if (!index) return found
  for await (const batch of readTerms(store, index)) {
    for (const { term, count, documents, positions } of batch) {
      if (term <= before) throw new Error(`${term} comes after ${before}`)
      before = term
      const { starts, values } = unpackPositions(positions, isWordTerm(term) ? count : 0)
      found[term] = Object.fromEntries(
        [...unpackDocuments(documents, count)].map((document, place) => [
          ids[document],
          [...values.subarray(starts[place] ?? 0, starts[place + 1] ?? 0)],
        ]),
      )
    }
  }
  return found
}
