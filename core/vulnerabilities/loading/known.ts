import type { SteppedWork } from '../../shared/time-slices.ts'
import { type IndexColumns, toCveNumber } from '../index/columns.ts'
import type { Draft } from '../index/draft.ts'
import { createNumberMap } from '../index/number-map.ts'
import type { Documents } from '../index/numbering.ts'
import type { AffectedProduct, CveRecord } from '../records.ts'

/** The current records: those of the existing index, until added records replace them. */
export interface KnownRecords {
  readonly old: Documents
  readonly draft: Draft
  /** By number in the draft: 1 for a record that another replaced. */
  readonly draftDropped: Uint8Array
  /** Compares a record with the current one of its id. */
  compare(record: CveRecord, digest: () => number): Standing
  /** Adds a record in place of the current one of its id. */
  add(
    record: CveRecord,
    kept: {
      readonly rowId: number
      readonly digest: number
      readonly products: readonly AffectedProduct[]
    },
  ): void
  /** Marks a record as read. */
  note(id: string): void
  /** Drops every record that was not marked as read; returns their number. */
  dropUnread(): number
  /** Row ids of dropped records, published or not. */
  droppedRows(): readonly number[]
  /** Number of current records. */
  count(): number
}

/** `new`: there is no record of its id. */
export type Standing = 'new' | 'newer' | 'same' | 'older'

/** Starts with the records of an index with these columns. Added records go to `draft`. */
export function* createKnownRecords(
  columns: IndexColumns,
  draft: Draft,
): SteppedWork<KnownRecords> {
  const count = columns.cve.length
  const old: Documents = { columns, count, dropped: new Uint8Array(count) }
  let draftDropped = new Uint8Array(1024)
  /** By CVE number: the current document, or a record of the draft as -1, -2 and so on. */
  const holding = createNumberMap(count)
  const read = createNumberMap(0)
  for (let document = 0; document < count; document += 1) {
    if (document % SLICE === 0) yield
    holding.set(columns.cve[document] as number, document)
  }

  function drop(place: number): void {
    if (place >= 0) old.dropped[place] = 1
    else draftDropped[-1 - place] = 1
  }

  function isDropped(place: number): boolean {
    return (place >= 0 ? old.dropped[place] : draftDropped[-1 - place]) === 1
  }

  function find(cve: number) {
    const place = holding.get(cve)
    if (place === undefined || isDropped(place)) return undefined
    const source = place >= 0 ? columns : draft.columns.values
    const at = place >= 0 ? place : -1 - place
    return {
      place,
      modifiedAt: source.modifiedAt[at] as number,
      digest: source.digest[at] as number,
    }
  }

  return {
    old,
    draft,
    get draftDropped() {
      return draftDropped
    },
    compare(record, toDigest) {
      const held = find(toCveNumber(record.id))
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
      const held = find(cve)
      if (held) drop(held.place)
      const added = draft.add(record, kept)
      if (added >= draftDropped.length) {
        const grown = new Uint8Array(draftDropped.length * 2)
        grown.set(draftDropped)
        draftDropped = grown
      }
      holding.set(cve, -1 - added)
    },
    note: (id) => read.set(toCveNumber(id), 1),
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
      for (let added = 0; added < draft.columns.count; added += 1) {
        dropWhenUnread(draft.columns.values.cve[added] as number, -1 - added)
      }
      return dropped
    },
    droppedRows() {
      const rows: number[] = []
      for (let document = 0; document < count; document += 1) {
        if (old.dropped[document] === 1) rows.push(columns.rowId[document] as number)
      }
      for (let added = 0; added < draft.columns.count; added += 1) {
        if (draftDropped[added] === 1) rows.push(draft.columns.values.rowId[added] as number)
      }
      return rows
    },
    count() {
      let held = 0
      for (let document = 0; document < count; document += 1)
        held += 1 - (old.dropped[document] ?? 0)
      for (let added = 0; added < draft.columns.count; added += 1)
        held += 1 - (draftDropped[added] ?? 0)
      return held
    },
  }
}

const SLICE = 4096
