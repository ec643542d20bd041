import { ServiceError } from '../../errors.ts'
import { concatBytesCopy } from '../../shared/bytes.ts'
import type { PartSet, VulnerabilityStore } from '../store.ts'
import {
  type ColumnName,
  type Columns,
  countColumnParts,
  countParts,
  fromColumnParts,
  INDEX_COLUMNS,
  type IndexColumns,
} from './columns.ts'
import { createIndexColumns } from './columns-builder.ts'
import {
  type Directory,
  joinPositions,
  readBlock,
  type TermEntry,
  toPositionParts,
  unpackDirectory,
} from './dictionary.ts'
import type { IndexManifest } from './manifest.ts'
import type { PackedPostings } from './term-merger.ts'

/** Reads parts of a set. Throws a `ServiceError` with code `conflict` if one is missing. */
export async function readParts(
  store: VulnerabilityStore,
  set: PartSet,
  numbers: readonly number[],
): Promise<readonly Uint8Array[]> {
  const parts = await store.readParts(set, numbers)
  return parts.map((part, index) => {
    if (part) return part
    throw new ServiceError(
      'conflict',
      `Cannot read the vulnerabilities: part ${numbers[index]} of ${set.name} ${set.id} is missing`,
    )
  })
}

/** Reads a column of this length; throws as `readParts` does. */
export async function readColumn<Name extends ColumnName>(
  store: VulnerabilityStore,
  column: { readonly id: number; readonly name: Name; readonly length: number },
): Promise<Columns[Name]> {
  const { id, name, length } = column
  const numbers = Array.from({ length: countColumnParts(name, length) }, (_, index) => index)
  return fromColumnParts(name, await readParts(store, { id, name }, numbers))
}

/** Reads a set of this many bytes as one array; throws as `readParts` does. */
export async function readSet(
  store: VulnerabilityStore,
  set: PartSet & { readonly bytes: number },
): Promise<Uint8Array> {
  const numbers = Array.from({ length: countParts(set.bytes) }, (_, index) => index)
  return concatBytesCopy(await readParts(store, { id: set.id, name: set.name }, numbers))
}

/** Reads all columns of an index; throws as `readParts` does. */
export async function readIndexColumns(
  store: VulnerabilityStore,
  index: IndexManifest | undefined,
): Promise<IndexColumns> {
  if (!index) return createIndexColumns(0)
  const columns: Partial<Record<ColumnName, Columns[ColumnName]>> = {}
  for (const name of INDEX_COLUMNS) {
    columns[name] = await readColumn(store, { id: index.id, name, length: index.documents })
  }
  // Contains every name, as read above.
  return columns as unknown as IndexColumns
}

/** Reads the directory of an index; throws as `readParts` does. */
export async function readDirectory(
  store: VulnerabilityStore,
  index: IndexManifest,
): Promise<Directory> {
  const { id, directoryBytes: bytes } = index
  return unpackDirectory(await readSet(store, { id, name: 'directory', bytes }))
}

/** A term of the index with its postings. */
export interface IndexedTerm extends PackedPostings {
  readonly term: string
}

/** Reads all terms of an index in order, some blocks at a time; throws as `readParts` does. */
export async function* readTerms(
  store: VulnerabilityStore,
  index: IndexManifest,
): AsyncGenerator<readonly IndexedTerm[], undefined, undefined> {
  const { id } = index
  const { positionStarts } = await readDirectory(store, index)
  for (let first = 0; first < index.blocks; first += BLOCKS_AT_ONCE) {
    const count = Math.min(BLOCKS_AT_ONCE, index.blocks - first)
    const numbers = Array.from({ length: count }, (_, offset) => first + offset)
    const blocks = await readParts(store, { id, name: 'terms' }, numbers)
    const entries = blocks.flatMap((block, offset) =>
      readBlock(block, positionStarts[first + offset] ?? 0),
    )
    yield await withPositions(store, { id, entries })
  }
}

const BLOCKS_AT_ONCE = 8

async function withPositions(
  store: VulnerabilityStore,
  { id, entries }: { readonly id: number; readonly entries: readonly TermEntry[] },
): Promise<readonly IndexedTerm[]> {
  const numbers = [...new Set(entries.flatMap(toPositionParts))]
  const found = await readParts(store, { id, name: 'positions' }, numbers)
  const parts = new Map(numbers.map((number, index) => [number, found[index]]))
  return entries.map((entry) => {
    const its = toPositionParts(entry).flatMap((number) => parts.get(number) ?? [])
    const { term, count, documents } = entry
    return { term, count, documents, positions: joinPositions(entry, its) }
  })
}
