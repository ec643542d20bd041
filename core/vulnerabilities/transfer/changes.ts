import { concatBytesCopy } from '../../shared/bytes.ts'
import { createColumn, toColumnBytes } from '../index/columns.ts'
import { createNumberMap } from '../index/number-map.ts'
import { CHANGE_SETS, type Compression, createBrokenError, parseArchiveHead } from './archive.ts'
import { type Frame, readFrames } from './frames.ts'
import { type RecordPairs, toRecordPairs } from './record-pairs.ts'

/** Columns of an archive that come first. */
export const DIGEST_COLUMNS = ['cve', 'nvdDigest', 'cveDigest'] as const

/** The records of a full archive. */
export interface ArchiveBase extends RecordPairs {
  /** Name of its file. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly exportedAt: number
}

/** Differences between an index and an archive. */
export interface Changes {
  readonly base: ArchiveBase
  /** Documents that the archive lacks or has with other content. */
  readonly documents: Uint32Array
  /** Their CVE numbers and digests, and the CVE numbers that only the archive has. */
  readonly changedCve: Float64Array
  readonly changedDigest: Float64Array
  readonly removed: Float64Array
}

/**
 * Reads which records a full archive contains, without reading them. Throws a `ServiceError` with
 * code `invalid_body` or `unsupported_media_type` if it is broken or no full archive.
 *
 * @example
 * ```ts
 * import { readArchiveBase } from 'api-discovery/vulnerabilities'
 * import { createBrotli, readFeedFile } from 'api-discovery/feeds'
 *
 * const options = { name: 'cves.archive', compression: createBrotli() }
 * const base = await readArchiveBase(readFeedFile('cves.archive'), options)
 * await app.vulnerabilities.exportArchive({ ...options, base })
 * ```
 */
export async function readArchiveBase(
  bytes: AsyncIterable<Uint8Array>,
  options: { readonly name: string; readonly compression: Compression },
): Promise<ArchiveBase> {
  const chunks = new Map<string, Uint8Array[]>(DIGEST_COLUMNS.map((name) => [name, []]))
  let exportedAt: number | undefined
  let missing = 0
  for await (const { head, body } of readFrames(bytes, options.compression)) {
    if (head.type === 'head') {
      const archive = parseArchiveHead(new TextDecoder().decode(body))
      if (archive.kind !== 'full') throw createBrokenError('it contains only changes')
      exportedAt = archive.exportedAt
      missing = archive.records.count * Float64Array.BYTES_PER_ELEMENT * DIGEST_COLUMNS.length
    } else {
      const parts = chunks.get(head.set ?? '')
      if (!parts) continue
      parts.push(body)
      missing -= body.length
      if (missing <= 0) break
    }
  }
  if (exportedAt === undefined || missing !== 0) throw createBrokenError('records are missing')
  const toNumbers = (name: string) =>
    new Float64Array(concatBytesCopy(chunks.get(name) ?? []).buffer)
  const [cve, nvdDigest, cveDigest] = [
    toNumbers('cve'),
    toNumbers('nvdDigest'),
    toNumbers('cveDigest'),
  ]
  return { name: options.name, exportedAt, ...toRecordPairs({ cve, nvdDigest, cveDigest }) }
}

/** Compares the records of an index with those of an archive. */
export function findChanges(records: RecordPairs, base: ArchiveBase): Changes {
  const positions = createNumberMap(base.cve.length)
  for (const [position, cve] of base.cve.entries()) positions.set(cve, position)
  const isFound = new Uint8Array(base.cve.length)
  const documents: number[] = []
  for (const [document, cve] of records.cve.entries()) {
    const position = positions.get(cve)
    if (position !== undefined) isFound[position] = 1
    if (position === undefined || base.digest[position] !== records.digest[document]) {
      documents.push(document)
    }
  }
  const select = (name: 'cve' | 'digest') =>
    Float64Array.from(documents, (document) => records[name][document] as number)
  return {
    base,
    documents: Uint32Array.from(documents),
    changedCve: select('cve'),
    changedDigest: select('digest'),
    removed: base.cve.filter((_, position) => isFound[position] !== 1),
  }
}

/** Packs the sets of an archive of changes. */
export function packChangeSets(changes: Changes): readonly Frame[] {
  const columns = [changes.changedCve, changes.changedDigest, changes.removed]
  return CHANGE_SETS.map((set, index) => {
    const bytes = toColumnBytes(columns[index] ?? createColumn('cve', 0))
    return { head: { type: 'set', set, first: 0, sizes: [bytes.length] }, body: bytes }
  })
}
