import {
  array,
  type InferOutput,
  integer,
  literal,
  maxLength,
  maxValue,
  minValue,
  number,
  object,
  optional,
  picklist,
  pipe,
  regex,
  safeParse,
  string,
} from 'valibot'
import { ServiceError } from '../../errors.ts'
import { FORMAT } from '../index/manifest.ts'

/**
 * An archive is a file with the vulnerability database, independent of the storage. It starts with
 * `MAGIC` and its format as a 32-bit number, followed by frames (see `writeFrames`). All numbers are
 * little endian. Frames, in order:
 *
 * 1. `head`: `ArchiveHead`.
 * 2. `set`: parts of a set: `kev`, the EPSS columns, and either all sets of the index except
 *    `rowId` and `positions`, or `changedCve`, `changedDigest` and `removedCve`.
 * 3. `records`: some records, one column per frame, in the order `line`, `products`, `detail`. Those
 *    of a full archive are in the order of documents, others in the order of `changedCve`.
 * 4. `end`.
 */
export const ARCHIVE_FORMAT = 2

/** First bytes of an archive. */
export const MAGIC = 'api-discovery vulnerabilities\n'

/** Compression of archives: a port of the host. */
export interface Compression {
  compress(bytes: Uint8Array): Promise<Uint8Array>
  /** Rejects if the bytes are corrupt, or if the result would be longer than `maxBytes`. */
  decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>
}

/** Sets of an archive of changes: the CVEs and digests of its records, and the removed CVEs. */
export const CHANGE_SETS = ['changedCve', 'changedDigest', 'removedCve'] as const

/** The columns of stored records, in the order of their frames. */
export const RECORD_COLUMNS = ['line', 'products', 'detail'] as const

/** Description of a frame's content. */
export type FrameHead = InferOutput<typeof FRAME_HEAD>

/** Description of an archive. Times are in milliseconds since the epoch. */
export type ArchiveHead = InferOutput<typeof ARCHIVE_HEAD>

const COUNT = pipe(number(), integer(), minValue(0), maxValue(0xffffffff))
const TIME = pipe(number(), integer(), minValue(0))
const DIGEST = pipe(string(), regex(/^[0-9a-f]{64}$/))

const FRAME_HEAD = object({
  type: picklist(['head', 'set', 'records', 'end']),
  /** `set`: its name, and the number and sizes of its parts in the frame. */
  set: optional(string()),
  first: optional(COUNT),
  sizes: optional(array(COUNT)),
  /** `records`: the column, and the number of records. */
  column: optional(picklist(RECORD_COLUMNS)),
  count: optional(COUNT),
})

const RECORD_STATE = { count: COUNT, digest: DIGEST }

const ARCHIVE_HEAD = object({
  kind: picklist(['full', 'changes']),
  exportedAt: TIME,
  /** All records after the load; `newestAt` is the last time that one was modified. */
  records: object({ ...RECORD_STATE, newestAt: TIME }),
  kev: optional(object({ count: COUNT, parts: COUNT, digest: DIGEST })),
  epss: optional(object(RECORD_STATE)),
  sources: pipe(
    array(
      object({
        name: pipe(string(), maxLength(100)),
        checkpoint: string(),
        loadedAt: optional(TIME),
      }),
    ),
    maxLength(100),
  ),
  /** Of a full archive; see `IndexManifest`. */
  index: optional(
    object({
      documents: COUNT,
      rejected: COUNT,
      vendors: COUNT,
      products: COUNT,
      blocks: COUNT,
      nameParts: COUNT,
      directoryBytes: COUNT,
      positionBytes: COUNT,
      vendorBytes: COUNT,
    }),
  ),
  /** Of an archive of changes: the archive that it continues, and the numbers of its records. */
  base: optional(object({ name: string(), exportedAt: TIME })),
  changes: optional(object({ stored: COUNT, removed: COUNT })),
})

const RECORD_FORMAT = object({ recordFormat: literal(FORMAT) })

/** Serialises the head of an archive, with the format of its sets and records. */
export function packArchiveHead(head: ArchiveHead): string {
  return JSON.stringify({ recordFormat: FORMAT, ...head })
}

/**
 * Parses the head of an archive. Throws a `ServiceError`: `unsupported_media_type` if its records
 * have another format, `invalid_body` if it is corrupt.
 */
export function parseArchiveHead(text: string): ArchiveHead {
  const value = parseJson(text)
  if (!safeParse(RECORD_FORMAT, value).success) {
    throw createForeignError('its records have the format of another version; update both machines')
  }
  const parsed = safeParse(ARCHIVE_HEAD, value)
  const { kind, index, base, changes } = parsed.success ? parsed.output : {}
  const isComplete = kind === 'full' ? index !== undefined : base && changes
  if (!parsed.success || !isComplete) throw createBrokenError('its description is invalid')
  return parsed.output
}

/** Parses the description of a frame; throws as `parseArchiveHead` does. */
export function parseFrameHead(text: string): FrameHead {
  const parsed = safeParse(FRAME_HEAD, parseJson(text))
  if (!parsed.success) throw createBrokenError('the description of a frame is invalid')
  return parsed.output
}

/** Creates an error for a corrupt or truncated archive. */
export function createBrokenError(reason: string): ServiceError {
  return new ServiceError('invalid_body', `Cannot load the vulnerabilities: ${reason}`)
}

/** Creates an error for a file of another kind or format. */
export function createForeignError(reason: string): ServiceError {
  return new ServiceError('unsupported_media_type', `Cannot load the vulnerabilities: ${reason}`)
}

/** Creates an error for changes of an archive that was not loaded. */
export function createBaseError(
  base: { readonly name: string; readonly exportedAt: number } | undefined,
): ServiceError {
  const { name = '', exportedAt = 0 } = base ?? {}
  const date = new Date(exportedAt).toISOString()
  return new ServiceError(
    'not_found',
    `Cannot load the vulnerabilities: the file contains only the changes since ${name} of ${date}, which was not loaded here; load that file first`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw createBrokenError('it is corrupt')
  }
}
