import type { CatalogueStore } from '../catalogue/store.ts'
import type { Clock, Isolate } from '../ports.ts'
import { createLazy } from '../shared/lazy.ts'
import type { ImportWarning } from './read.ts'
import type { ImportStore } from './store.ts'

/** What is to be imported, and what the importer knows of it. */
export interface ImportRequest {
  /** The description: Swagger 2.0 or OpenAPI 3.0 to 3.2, JSON or YAML. */
  readonly bytes: Uint8Array
  /** As the importer labels the bytes; kept, not believed. */
  readonly mediaType?: string | undefined
  /** The description's provider name, else the domain of its server, when absent. */
  readonly vendorName?: string | undefined
  /**
   * When absent, the API keeps its category; a new one gets the description's own, else a general one.
   */
  readonly categoryName?: string | undefined
  /** Enters a vendor that does not exist; otherwise it is an error. */
  readonly createVendor?: boolean | undefined
  /** Absolute URL for relative servers; the vendor's homepage when absent. */
  readonly baseUrl?: string | undefined
  readonly isPublic: boolean
  /** ISO 3166-1 alpha-2, upper case; when absent, the API keeps its own, a new one gets its vendor's. */
  readonly countries?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** What an import did (contract 4.6). */
export interface ImportReport {
  readonly operations: number
  readonly webhooks: number
  readonly callbacks: number
  readonly parameters: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly skipped: number
  readonly warnings: readonly ImportWarning[]
}

/** A finished import. */
export interface Imported {
  /** `encrypted_id` of the API. */
  readonly apiId: string
  readonly vendorName: string
  readonly apiName: string
  readonly report: ImportReport
}

/** Imports descriptions into the catalogue. */
export interface Imports {
  /**
   * Imports one description in one transaction. The same API (vendor, folded title, major version)
   * is updated in place; the same description again changes nothing. Throws `invalid_input` for an
   * unknown vendor or category, and what `readDescription` throws; then nothing is stored, but
   * for the vendor that it was to enter.
   */
  importDescription(request: ImportRequest): Promise<Imported>
}

/** What imports are made of. */
export interface ImportDeps {
  readonly catalogue: Pick<CatalogueStore, 'findVendor' | 'saveVendor'>
  readonly store: ImportStore
  readonly isolate: Isolate | undefined
  readonly clock: Clock
  /** The largest description, bytes. */
  readonly maxBytes: number
}

/** Creates the imports over a catalogue. What reads descriptions is loaded with the first one. */
export function createImports(deps: ImportDeps): Imports {
  const load = createLazy(async () => (await import('./importer.ts')).createImporter(deps))
  return {
    importDescription: async (request) => (await load()).importDescription(request),
  }
}
