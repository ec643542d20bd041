import type { SteppedWork } from '../../shared/time-slices.ts'
import { type IndexColumns, NO_RECORD, toCveNumber } from '../index/columns.ts'
import type { RecordRow, RecordVersion, RecordVersions } from '../index/columns-builder.ts'
import type { IndexBuilder } from '../index/index-builder.ts'
import type { Documents } from '../index/number-documents.ts'
import { createNumberMap } from '../index/number-map.ts'
import type { CveAuthority, CveRecord } from '../records.ts'

/** The current records: those of the existing index, until added records replace them. */
export interface CurrentRecords {
  readonly old: Documents
  readonly builder: IndexBuilder
  /** By number in the builder: 1 for a record that another replaced. */
  readonly builderDropped: Uint8Array
  /** Finds the current record of a CVE. */
  find(id: string): CurrentRecord | undefined
  /** Compares the record of an authority with its current one of the same CVE. */
  compare(record: CveRecord, authority: CveAuthority, digest: () => number): RecordChange
  /** Adds a record in place of the current one of its ID. */
  add(record: CveRecord, row: RecordRow): void
  /** Marks a record as read. */
  markRead(id: string): void
  /**
   * Drops every record of an authority that was not marked as read. Those that the other authority
   * has, too, remain; `shared` lists their row IDs.
   */
  dropUnread(authority: CveAuthority): {
    readonly dropped: number
    readonly shared: readonly number[]
  }
  /** Drops the records with these CVE numbers; returns how many there were. */
  dropListed(cves: Iterable<number>): number
  /** Row IDs of dropped records, published or not, ascending: neighbours share pages. */
  droppedRows(): readonly number[]
  /** Number of current records. */
  count(): number
}

/** A current record: where it is stored, and its content by authority. */
export interface CurrentRecord {
  readonly rowId: number
  readonly versions: RecordVersions
}

/** `new`: the authority has no record of its ID. */
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

  function findPlace(id: string): number | undefined {
    const place = currentByCve.get(toCveNumber(id))
    return place === undefined || isDropped(place) ? undefined : place
  }

  function locate(place: number): readonly [source: IndexColumns, at: number] {
    return place >= 0 ? [columns, place] : [builder.columns.values, -1 - place]
  }

  /** Calls `visit` with the place of each current record. */
  function visitCurrent(visit: (place: number) => void): void {
    for (let document = 0; document < count; document += 1) {
      if (!isDropped(document)) visit(document)
    }
    const added = builder.columns.count
    for (let at = 0; at < added; at += 1) if (!isDropped(-1 - at)) visit(-1 - at)
  }

  return {
    old,
    builder,
    get builderDropped() {
      return draftDropped
    },
    find(id) {
      const place = findPlace(id)
      if (place === undefined) return undefined
      const [source, at] = locate(place)
      const versions = toVersions(source, at)
      return { rowId: source.rowId[at] as number, versions }
    },
    compare(record, authority, toDigest) {
      const place = findPlace(record.id)
      const current = place === undefined ? undefined : readVersion(...locate(place), authority)
      if (!current) return 'new'
      if (record.modifiedAt < current.modifiedAt) return 'older'
      const digest = toDigest()
      if (digest === current.digest) return 'same'
      if (record.modifiedAt > current.modifiedAt) return 'newer'
      // Modified at the same time: the result must not depend on the input order.
      return digest > current.digest ? 'newer' : 'older'
    },
    add(record, row) {
      const place = findPlace(record.id)
      if (place !== undefined) drop(place)
      const added = builder.add(record, row)
      if (added >= draftDropped.length) {
        const grown = new Uint8Array(draftDropped.length * 2)
        grown.set(draftDropped)
        draftDropped = grown
      }
      currentByCve.set(toCveNumber(record.id), -1 - added)
    },
    markRead: (id) => read.set(toCveNumber(id), 1),
    dropUnread(authority) {
      const shared: number[] = []
      let dropped = 0
      visitCurrent((place) => {
        const [source, at] = locate(place)
        if (read.get(source.cve[at] as number) !== undefined) return
        if (!readVersion(source, at, authority)) return
        if (readVersion(source, at, toOther(authority))) {
          shared.push(source.rowId[at] as number)
        } else {
          drop(place)
          dropped += 1
        }
      })
      return { dropped, shared }
    },
    dropListed(cves) {
      let dropped = 0
      for (const cve of cves) {
        const place = currentByCve.get(cve)
        if (place === undefined || isDropped(place)) continue
        drop(place)
        dropped += 1
      }
      return dropped
    },
    droppedRows() {
      const { values, count: added } = builder.columns
      const drafts = { columns: values, count: added, dropped: draftDropped }
      return [...listDroppedRows(old), ...listDroppedRows(drafts)].sort((a, b) => a - b)
    },
    count() {
      let current = 0
      visitCurrent(() => {
        current += 1
      })
      return current
    },
  }
}

/** Returns the other authority. */
export function toOther(authority: CveAuthority): CveAuthority {
  return authority === 'nvd' ? 'cve' : 'nvd'
}

function* listDroppedRows({ columns, count, dropped }: Documents): Generator<number> {
  for (let at = 0; at < count; at += 1) if (dropped[at] === 1) yield columns.rowId[at] as number
}

function toVersions(columns: IndexColumns, at: number): RecordVersions {
  const nvd = readVersion(columns, at, 'nvd')
  const cve = readVersion(columns, at, 'cve')
  return { ...(nvd && { nvd }), ...(cve && { cve }) }
}

function readVersion(
  columns: IndexColumns,
  at: number,
  authority: CveAuthority,
): RecordVersion | undefined {
  const modifiedAt = columns[`${authority}ModifiedAt`][at] as number
  const digest = columns[`${authority}Digest`][at] as number
  return digest === NO_RECORD ? undefined : { modifiedAt, digest }
}

const DOCUMENTS_PER_SLICE = 4096
