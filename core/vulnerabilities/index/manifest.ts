import { ServiceError } from '../../errors.ts'
import type { PartSet } from '../store.ts'
import { EPSS_COLUMNS, INDEX_COLUMNS, OVERLAY_COLUMNS } from './columns.ts'

/** Version of the format of all sets and of stored records. */
export const FORMAT = 4

/** Content of a generation. A set is identified by an ID from here and a name from `listSets`. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly index?: IndexManifest | undefined
  /** Belongs to `index`, whose documents it describes. */
  readonly overlay?: { readonly id: number } | undefined
  readonly epss?: RatingsManifest | undefined
  readonly kev?: (RatingsManifest & { readonly parts: number }) | undefined
}

/** One version of a list of ratings. */
interface RatingsManifest {
  readonly id: number
  readonly count: number
  /** Name of the data source that loaded it; undefined if it is from an archive. */
  readonly source?: string | undefined
}

/** One version of the index. */
export interface IndexManifest {
  readonly id: number
  /** All documents, including rejected ones: the length of each column. */
  readonly documents: number
  readonly rejected: number
  /** Distinct vendors of records that are not rejected. */
  readonly vendors: number
  readonly products: number
  /** Parts of the sets `terms` and `products`; bytes of `directory`, `positions` and `vendors`. */
  readonly blocks: number
  readonly nameParts: number
  readonly directoryBytes: number
  readonly positionBytes: number
  readonly vendorBytes: number
}

/** Sets of an index besides its columns, which are named as in `columns.ts`. */
const INDEX_SETS = ['terms', 'positions', 'directory', 'vendors', 'products', 'aliases'] as const

/** Set with the entries of CISA's catalogue: JSON of `KnownExploited[]`, by CVE number. */
export const KEV_SET = 'kev'

/** Lists every set that a manifest names. */
export function listSets(manifest: Manifest): readonly PartSet[] {
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

/** Serialises a manifest. */
export function packManifest(manifest: Manifest): string {
  return JSON.stringify(manifest)
}

/** True if the manifest has the current format. */
export function hasCurrentFormat(text: string): boolean {
  return (JSON.parse(text) as Manifest).format === FORMAT
}

/**
 * Parses a manifest; without a string, returns that of an empty database. Throws a `ServiceError`
 * with code `storage_unavailable` if it has another format.
 */
export function parseManifest(text: string | undefined): Manifest {
  if (text === undefined) return { format: FORMAT }
  // The cast is safe: only `packManifest` writes it, and other formats differ in their number.
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT) {
    throw new ServiceError(
      'storage_unavailable',
      `Cannot read the vulnerabilities: their format is ${manifest.format}, not ${FORMAT}; sync the CVE records again`,
      { retryAfter: RETRY_AFTER },
    )
  }
  return manifest
}

/** Seconds: an operator has to load everything first. */
const RETRY_AFTER = 60
