import { concatBytesCopy } from '../../shared/bytes.ts'
import { createYieldIfDue } from '../../shared/time-slices.ts'
import {
  type ColumnName,
  createColumn,
  EPSS_COLUMNS,
  fromColumnParts,
  INDEX_COLUMNS,
  type IndexColumns,
  toColumnBytes,
} from '../index/columns.ts'
import { KEV_SET, type Manifest } from '../index/manifest.ts'
import { createNumberMap } from '../index/number-map.ts'
import { createBrokenError } from './archive.ts'
import {
  type ArchiveRun,
  publishArchive,
  type RecordCounts,
  writeRunOverlay,
} from './archive-run.ts'
import { DIGEST_COLUMNS } from './changes.ts'
import type { Frame } from './frames.ts'
import { createRecordJoiner } from './record-frames.ts'
import { createPositionRestorer } from './restore-positions.ts'
import { createSetWriter, type SetWriter, splitParts } from './set-frames.ts'

/** Columns that the load itself needs. */
const NEEDED_COLUMNS = [...DIGEST_COLUMNS, 'exploitedDay'] as const
type NeededColumns = Pick<IndexColumns, (typeof NEEDED_COLUMNS)[number]>

/**
 * Replaces the index by that of a full archive. Stores only records that differ from the current
 * ones.
 */
export async function loadWholeIndex(run: ArchiveRun): Promise<RecordCounts> {
  const { head, load, stager, frames, columns: before } = run
  const { documents = 0 } = head.index ?? {}
  const sets = createSetWriter(load)
  const kept = createColumnCollector(documents)
  const positions = createPositionRestorer()
  const joiner = createRecordJoiner()
  const pause = createYieldIfDue()
  let mapping: RowMapping | undefined
  let document = 0
  for await (const frame of frames) {
    if (frame.head.type === 'set') {
      if (mapping || !isExpectedSet(frame, run)) continue
      await sets.add(frame)
      kept.add(frame)
      if (frame.head.set === 'terms')
        for (const block of splitParts(frame)) positions.addTerms(block)
    } else if (frame.head.type === 'records') {
      mapping ??= mapRows(kept.end(), before)
      for (const record of joiner.add(frame)) {
        if (document >= documents) throw createBrokenError('it has too many records')
        positions.addRecord(document, record)
        if (mapping.rowIds[document] === 0) {
          mapping.rowIds[document] = stager.nextRowId
          stager.add(record)
          await stager.flushWhenFull()
        }
        document += 1
        await pause()
      }
      run.onEvent?.({ kind: 'progress', phase: 'records', done: document, total: documents })
    }
  }
  if (document !== documents || !joiner.isWhole()) throw createBrokenError('records are missing')
  await stager.flush()
  for (const frame of positions.end()) await sets.add(frame)
  const columns = kept.end()
  const { rowIds, counts } = mapping ?? mapRows(columns, before)
  await sets.writeSet('rowId', toColumnBytes(rowIds))
  await sets.flush()
  requireSizes(run, sets)
  const manifest = await writeRunOverlay(run, toRunManifest(run), columns)
  const used = new Set(rowIds)
  const dropped = [...before.rowId].filter((rowId) => !used.has(rowId))
  await publishArchive(run, { manifest, dropped, replacesRecords: true })
  return { ...counts, read: documents }
}

/** Loads only the ratings of an archive whose records are the current ones. */
export async function loadRatings(run: ArchiveRun): Promise<void> {
  const { frames, load, columns, manifest } = run
  const sets = createSetWriter(load)
  for await (const frame of frames) {
    if (!isRatingSet(frame)) break
    if (isExpectedSet(frame, run)) await sets.add(frame)
  }
  await sets.flush()
  requireRatingSizes(run, sets)
  const ratings = toRatingManifest(run)
  const written = await writeRunOverlay(run, { ...manifest, ...ratings }, columns)
  await publishArchive(run, { manifest: written, dropped: [], replacesRecords: false })
}

/** Returns the current ratings, replaced by those of the archive that were chosen. */
export function toRatingManifest({
  head,
  choice,
  load,
  manifest,
}: ArchiveRun): Pick<Manifest, 'kev' | 'epss'> {
  const { kev, epss } = head
  const id = load.nextId
  return {
    kev: kev && choice.kev ? { id, count: kev.count, parts: kev.parts } : manifest.kev,
    epss: epss && choice.epss ? { id, count: epss.count } : manifest.epss,
  }
}

/** Whether a frame belongs to a set of ratings. */
export function isRatingSet({ head: { set } }: Frame): boolean {
  return set === KEV_SET || EPSS_COLUMNS.some((name) => name === set)
}

/**
 * Whether a set is to be written. Throws a `ServiceError` with code `invalid_body` if it is unknown.
 */
export function isExpectedSet(frame: Frame, { choice }: ArchiveRun): boolean {
  const { set = '' } = frame.head
  if (set === KEV_SET) return choice.kev
  if (isRatingSet(frame)) return choice.epss
  if (INDEX_SET_NAMES.has(set)) return true
  throw createBrokenError(`its set "${set}" is unknown`)
}

/** Checks the sizes of the ratings that were written. */
export function requireRatingSizes({ head, choice }: ArchiveRun, sets: SetWriter): void {
  if (head.kev && choice.kev) sets.requireSize(KEV_SET, { parts: head.kev.parts })
  if (!head.epss || !choice.epss) return
  for (const name of EPSS_COLUMNS) {
    sets.requireSize(name, { bytes: head.epss.count * sizeOf(name) })
  }
}

const OTHER_SETS = ['terms', 'directory', 'vendors', 'products', 'aliases']
const INDEX_SET_NAMES: ReadonlySet<string> = new Set([
  ...OTHER_SETS,
  ...INDEX_COLUMNS.filter((name) => name !== 'rowId'),
])

function toRunManifest(run: ArchiveRun): Manifest {
  const { head, load, manifest } = run
  const index = head.index && { ...head.index, id: load.nextId }
  return { format: manifest.format, index, ...toRatingManifest(run) }
}

function requireSizes(run: ArchiveRun, sets: SetWriter): void {
  const { index } = run.head
  if (!index) return
  for (const name of INDEX_COLUMNS) {
    if (name !== 'rowId') sets.requireSize(name, { bytes: index.documents * sizeOf(name) })
  }
  sets.requireSize('terms', { parts: index.blocks })
  sets.requireSize('products', { parts: index.nameParts })
  sets.requireSize('positions', { bytes: index.positionBytes })
  sets.requireSize('directory', { bytes: index.directoryBytes })
  sets.requireSize('vendors', { bytes: index.vendorBytes })
  requireRatingSizes(run, sets)
}

function sizeOf(name: ColumnName): number {
  return createColumn(name, 0).BYTES_PER_ELEMENT
}

/** Collects the columns of the archive that the load itself needs. */
function createColumnCollector(length: number) {
  const chunks = new Map<string, Uint8Array[]>(NEEDED_COLUMNS.map((name) => [name, []]))
  return {
    add({ head: { set = '' }, body }: Frame): void {
      chunks.get(set)?.push(concatBytesCopy([body]))
    },
    /** Throws a `ServiceError` with code `invalid_body` if a column is incomplete. */
    end(): NeededColumns {
      const read = <Name extends (typeof NEEDED_COLUMNS)[number]>(name: Name) => {
        const parts = chunks.get(name) ?? []
        const bytes = parts.reduce((sum, part) => sum + part.length, 0)
        if (bytes !== length * sizeOf(name)) throw createBrokenError('a column is incomplete')
        return fromColumnParts(name, parts)
      }
      return {
        cve: read('cve'),
        nvdDigest: read('nvdDigest'),
        cveDigest: read('cveDigest'),
        exploitedDay: read('exploitedDay'),
      }
    },
  }
}

const DIGESTS = ['nvdDigest', 'cveDigest'] as const

interface RowMapping {
  /** By document of the archive: the row ID of the same stored record, or 0. */
  readonly rowIds: Uint32Array
  readonly counts: Omit<RecordCounts, 'read'>
}

function mapRows(archive: NeededColumns, before: IndexColumns): RowMapping {
  const positions = createNumberMap(before.cve.length)
  for (const [position, cve] of before.cve.entries()) positions.set(cve, position)
  let [added, changed] = [0, 0]
  const rowIds = createColumn('rowId', archive.cve.length)
  for (const [document, cve] of archive.cve.entries()) {
    const position = positions.get(cve)
    if (position === undefined) added += 1
    else if (DIGESTS.some((name) => before[name][position] !== archive[name][document])) {
      changed += 1
    } else rowIds[document] = before.rowId[position] as number
  }
  const removed = before.cve.length - (archive.cve.length - added)
  return { rowIds, counts: { added, changed, removed } }
}
