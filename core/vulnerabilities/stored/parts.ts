import { hash53 } from '../../shared/ids.ts'
import type { RecordsByAuthority } from '../join-records.ts'
import { AUTHORITIES, type CveAuthority, type CveRecord } from '../records.ts'
import { packDetail, unpackDetail } from './detail.ts'

/** The record of one authority, packed. */
export interface PackedRecord {
  readonly detail: string
  /** The first description, which is not in the detail. */
  readonly text: string
}

/** The packed records of one CVE by authority; at least one. */
export type PackedRecords = Readonly<Partial<Record<CveAuthority, PackedRecord>>>

/** Packs the record of one authority. */
export function packRecord(record: CveRecord): PackedRecord {
  return { detail: packDetail(record), text: record.descriptions[0]?.text ?? '' }
}

/**
 * Records with equal digests are equal. Among records modified at the same time, the greater digest
 * wins. Records of the current format, which alone has a status, thus win over legacy ones.
 */
export function digestRecord({ status }: CveRecord, { detail, text }: PackedRecord): number {
  const content = hash53(detail, hash53(text)) % DIGEST_HALF
  return status === '' ? content : DIGEST_HALF + content
}

const DIGEST_HALF = 2 ** 52

/**
 * Packs the records into one detail. That of NVD alone is stored as it is. `text` is the first
 * description of the joined record, which its line contains.
 */
export function packRecords(packed: PackedRecords, text: string): string {
  const { nvd, cve } = packed
  if (nvd && !cve && nvd.text === text) return nvd.detail
  const members = AUTHORITIES.flatMap((authority) => {
    const one = packed[authority]
    if (!one) return []
    const other = one.text === text ? '' : `,"${authority}Text":${JSON.stringify(one.text)}`
    return [`"${authority}":${one.detail}${other}`]
  })
  return `{${members.join(',')}}`
}

/** Reverses `packRecords`. */
export function unpackRecords(detail: string, text: string): PackedRecords {
  if (!detail.startsWith('{')) return { nvd: { detail, text } }
  // The cast is safe: only `packRecords` writes it.
  const members = JSON.parse(detail) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    AUTHORITIES.flatMap((authority) => {
      const member = members[authority]
      if (member === undefined) return []
      const own = members[`${authority}Text`]
      const one = { detail: JSON.stringify(member), text: typeof own === 'string' ? own : text }
      return [[authority, one]]
    }),
  )
}

/** Restores the records of each authority. */
export function toRecordsByAuthority(packed: PackedRecords, id: string): RecordsByAuthority {
  const { nvd, cve } = packed
  return {
    ...(nvd && { nvd: unpackDetail(nvd.detail, { id, description: nvd.text }) }),
    ...(cve && { cve: unpackDetail(cve.detail, { id, description: cve.text }) }),
  }
}
