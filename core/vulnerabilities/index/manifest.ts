import { ServiceError } from '../../http/problems.ts'
import type { PartSet } from '../store.ts'
import { EPSS_COLUMNS, INDEX_COLUMNS, OVERLAY_COLUMNS } from './columns.ts'

/** The formats of all sets and of stored records: another number is another format. */
export const FORMAT = 1

/** What a generation consists of. A set is named by the id here and the names of `toSets`. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly index?: IndexManifest | undefined
  /** Goes with `index`, whose documents it describes. */
  readonly overlay?: { readonly id: number } | undefined
  readonly epss?: { readonly id: number; readonly count: number } | undefined
  readonly kev?: { readonly id: number; readonly count: number; readonly parts: number } | undefined
}

/** One version of the index. */
export interface IndexManifest {
  readonly id: number
  /** All documents, the rejected ones too: the length of each column. */
  readonly documents: number
  readonly rejected: number
  /** Of records that are not rejected. */
  readonly vendors: number
  readonly products: number
  /** Parts of the sets `terms`, `products`; bytes of `directory`, `positions` and `vendors`. */
  readonly blocks: number
  readonly nameParts: number
  readonly directoryBytes: number
  readonly positionBytes: number
  readonly vendorBytes: number
}

/** Names of the sets of an index besides its columns, which are named as in `columns.ts`. */
const INDEX_SETS = ['terms', 'positions', 'directory', 'vendors', 'products'] as const

/** The set of the entries of CISA's catalogue: JSON of `KnownExploited[]`, by CVE number. */
export const KEV_SET = 'kev'

/** Every set that a manifest names. */
export function toSets(manifest: Manifest): readonly PartSet[] {
  const sets: PartSet[] = []
  const add = (id: number | undefined, names: readonly string[]) => {
    if (id !== undefined) for (const name of names) sets.push({ id, name })
  }
  add(manifest.index?.id, [...INDEX_SETS, ...INDEX_COLUMNS])
  add(manifest.overlay?.id, OVERLAY_COLUMNS)
  add(manifest.epss?.id, EPSS_COLUMNS)
  add(manifest.kev?.id, [KEV_SET])
  return sets
}

/** The text that is published. */
export function packManifest(manifest: Manifest): string {
  return JSON.stringify(manifest)
}

/** True for a manifest of this format. */
export function isReadable(text: string): boolean {
  return (JSON.parse(text) as Manifest).format === FORMAT
}

/**
 * Reads a manifest; without a text, that of an empty database. Throws a `ServiceError` with code
 * `storage_unavailable` for one of another format.
 */
export function parseManifest(text: string | undefined): Manifest {
  if (text === undefined) return { format: FORMAT }
  // Only `packManifest` wrote it; another format differs in its number.
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT) {
    throw new ServiceError(
      'storage_unavailable',
      `Cannot read the vulnerabilities: they have format ${manifest.format}, not ${FORMAT}; sync the CVE records again`,
      { retryAfter: RETRY_AFTER },
    )
  }
  return manifest
}

/** Seconds: somebody has to load everything first. */
const RETRY_AFTER = 60
