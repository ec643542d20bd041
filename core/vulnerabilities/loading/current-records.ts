import type { SteppedWork } from '../../shared/time-slices.ts'
import { type IndexColumns, toCveNumber } from '../index/columns.ts'
import type { RecordRow } from '../index/columns-builder.ts'
import type { IndexBuilder } from '../index/index-builder.ts'
import type { Documents } from '../index/number-documents.ts'
import { createNumberMap } from '../index/number-map.ts'
import type { CveRecord } from '../records.ts'

/** The current records: those of the existing index, until added records replace them. */
export interface CurrentRecords {
  readonly old: Documents
  readonly builder: IndexBuilder
  /** By number in the builder: 1 for a record that another replaced. */
  readonly builderDropped: Uint8Array
  /** Compares a record with the current one of its ID. */
  compare(record: CveRecord, digest: () => number): RecordChange
  /** Adds a record in place of the current one of its ID. */
  add(record: CveRecord, row: RecordRow): void
  /** Marks a record as read. */
  markRead(id: string): void
  /** Drops every record that was not marked as read; returns their number. */
  dropUnread(): number
  /** Row IDs of dropped records, published or not. */
  droppedRows(): readonly number[]
  /** Number of current records. */
  count(): number
}

/** `new`: there is no record of its ID. */
export type RecordChange = 'new' | 'newer' | 'same' | 'older'

/** Starts with the records of an index with these columns. Added records go to `builder`. */
export function* createCurrentRecords(
  columns: IndexColumns,
  builder: IndexBuilder,
): SteppedWork<CurrentRecords> {
  const count = columns.cve.length
  const old: Documents = { columns, count, dropped: new Uint8Array(count) }
  let draftDropped = new Uint8Array(1024)
  /** By CVE number: the current document, or a record of the builder as -1, -2 and so on. */
  const currentByCve = createNumberMap(count)
  const read = createNumberMap(0)
  for (let document = 0; document < count; document += 1) {
    if (document % DOCUMENTS_PER_SLICE === 0) yield
    currentByCve.set(columns.cve[document] as number, document)
  }

  function drop(position: number): void {
    if (position >= 0) old.dropped[position] = 1
    else draftDropped[-1 - position] = 1
  }

  function isDropped(position: number): boolean {
    return (position >= 0 ? old.dropped[position] : draftDropped[-1 - position]) === 1
  }

  function findCurrent(cve: number) {
    const place = currentByCve.get(cve)
    if (place === undefined || isDropped(place)) return undefined
    const source = place >= 0 ? columns : builder.columns.values
    const at = place >= 0 ? place : -1 - place
    return {
      place,
      modifiedAt: source.modifiedAt[at] as number,
      digest: source.digest[at] as number,
    }
  }

  return {
    old,
    builder,
    get builderDropped() {
      return draftDropped
    },
    compare(record, toDigest) {
      const held = findCurrent(toCveNumber(record.id))
      if (!held) return 'new'
      if (record.modifiedAt < held.modifiedAt) return 'older'
      const digest = toDigest()
      if (digest === held.digest) return 'same'
      if (record.modifiedAt > held.modifiedAt) return 'newer'
      // Modified at the same time: the result must not depend on the input order.
      return digest > held.digest ? 'newer' : 'older'
    },
    add(record, kept) {
      const cve = toCveNumber(record.id)
      const held = findCurrent(cve)
      if (held) drop(held.place)
      const added = builder.add(record, kept)
      if (added >= draftDropped.length) {
        const grown = new Uint8Array(draftDropped.length * 2)
        grown.set(draftDropped)
        draftDropped = grown
      }
      currentByCve.set(cve, -1 - added)
    },
    markRead: (id) => read.set(toCveNumber(id), 1),
    dropUnread() {
      let dropped = 0
      const dropWhenUnread = (cve: number, place: number) => {
        if (isDropped(place) || read.get(cve) !== undefined) return
        drop(place)
        dropped += 1
      }
      for (let document = 0; document < count; document += 1) {
        dropWhenUnread(columns.cve[document] as number, document)
      }
      for (let added = 0; added < builder.columns.count; added += 1) {
        dropWhenUnread(builder.columns.values.cve[added] as number, -1 - added)
      }
      return dropped
    },
    droppedRows() {
      const rows: number[] = []
      for (let document = 0; document < count; document += 1) {
        if (old.dropped[document] === 1) rows.push(columns.rowId[document] as number)
      }
      for (let added = 0; added < builder.columns.count; added += 1) {
        if (draftDropped[added] === 1) rows.push(builder.columns.values.rowId[added] as number)
      }
      return rows
    },
    count() {
      let held = 0
      for (let document = 0; document < count; document += 1)
        held += 1 - (old.dropped[document] ?? 0)
      for (let added = 0; added < builder.columns.count; added += 1)
        held += 1 - (draftDropped[added] ?? 0)
      return held
    },
  }
}

const DOCUMENTS_PER_SLICE = 4096
