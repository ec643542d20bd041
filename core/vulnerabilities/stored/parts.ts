import { hash53 } from '../../shared/ids.ts'
import type { RecordsByAuthority } from '../join-records.ts'
import type { CveAuthority, CveRecord } from '../records.ts'
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
 * Packs the records into one detail: up to four JSON texts, separated by tabs, with the details of
 * NVD and of the CVE Program, and the text of each if it differs from `text`. `text` is the first
 * description of the joined record, which its line contains. Empty texts at the end are omitted.
 */
export function packRecords({ nvd, cve }: PackedRecords, text: string): string {
  const packText = (one: PackedRecord | undefined) =>
    !one || one.text === text ? '' : JSON.stringify(one.text)
  const parts = [nvd?.detail ?? '', cve?.detail ?? '', packText(nvd), packText(cve)]
  return parts.join('\t').trimEnd()
}

/** Reverses `packRecords`. */
export function unpackRecords(detail: string, text: string): PackedRecords {
  const [nvd = '', cve = '', nvdText = '', cveText = ''] = detail.split('\t')
  const unpack = (packed: string, own: string): PackedRecord => {
    // The cast is safe: only `packRecords` writes it.
    return { detail: packed, text: own === '' ? text : (JSON.parse(own) as string) }
  }
  return {
    ...(nvd !== '' && { nvd: unpack(nvd, nvdText) }),
    ...(cve !== '' && { cve: unpack(cve, cveText) }),
  }
}

/** Restores the records of each authority. */
export function toRecordsByAuthority(packed: PackedRecords, id: string): RecordsByAuthority {
  const { nvd, cve } = packed
  return {
    ...(nvd && { nvd: unpackDetail(nvd.detail, { id, description: nvd.text }) }),
    ...(cve && { cve: unpackDetail(cve.detail, { id, description: cve.text }) }),
  }
}
