import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../http/problems.ts'
import type { Clock, Isolate, Logger } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import { createLazy } from '../shared/lazy.ts'
import type { Page } from '../shared/pages.ts'
import type { ImportOutcome, ImportReport, ImportWarning, StoredImport } from './records.ts'
import { MAX_REPORTS, shorten, toFailure, toOutcome } from './reports.ts'
import type { ImportStore, ReportRequest } from './store.ts'

export type { ImportReport } from './records.ts'

/** What is to be imported, and what the importer knows of it. */
export interface ImportRequest {
  /** The description: Swagger 2.0 or OpenAPI 3.0 to 3.2, JSON or YAML. */
  readonly bytes: Uint8Array
  /** As the importer labels the bytes; kept, not believed. */
  readonly mediaType?: string | undefined
  /**
   * The description's provider name, else the vendor of its server's host, when absent. A domain of a
   * known vendor (`amazonaws.com`) means that vendor.
   */
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
  /** Who imports it; the operator when absent. Kept with the report. */
  readonly by?: Account | undefined
  /** Name of the file, kept with the report. */
  readonly fileName?: string | undefined
  /** About the request itself; reported before those of the description. */
  readonly warnings?: readonly ImportWarning[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** A finished import. */
export interface Imported {
  /** `encrypted_id` of the API. */
  readonly apiId: string
  readonly vendorName: string
  readonly apiName: string
  readonly report: ImportReport
  /** Of the kept report; undefined where it could not be kept. */
  readonly importId: number | undefined
}

type Done = Omit<Imported, 'importId'>

/** Imports descriptions into the catalogue. */
export interface Imports {
  /**
   * Imports one description in one transaction. The same API (vendor, folded title, major version)
   * is updated in place; the same description again changes nothing. Throws `invalid_input` for an
   * unknown vendor or category, and what `readDescription` throws; then nothing is stored, but
   * for the vendor that it was to enter. Its report is kept either way: of each account the newest
   * 1,000, with 100 warnings each.
   */
  importDescription(request: ImportRequest): Promise<Imported>
  /** What the account and the operator imported, newest first; without one, what the operator did. */
  list(account: Account | undefined, request: ReportRequest): Promise<Page<StoredImport>>
  /** One of these; throws `not_found`. */
  find(account: Account | undefined, id: number): Promise<StoredImport>
  /** When the newest kept import of anybody that succeeded was; undefined for none. */
  latest(): Promise<number | undefined>
}

/** What imports are made of. */
export interface ImportDeps {
  readonly catalogue: Pick<
    CatalogueStore,
    'findVendor' | 'searchVendors' | 'saveVendor' | 'findApisByName'
  >
  readonly store: ImportStore
  readonly isolate: Isolate | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** The largest description, bytes. */
  readonly maxBytes: number
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'storage_unavailable'
}

/** Creates the imports over a catalogue. What reads descriptions is loaded with the first one. */
export function createImports(deps: ImportDeps): Imports {
  const { store, clock, logger } = deps
  const load = createLazy(async () => (await import('./importer.ts')).createImporter(deps))

  /** What was imported stays imported, whether its report can be kept or not. */
  async function keep(request: ImportRequest, outcome: ImportOutcome, imported?: Done) {
    const { by, fileName = '', vendorName = '' } = request
    const record = {
      at: clock(),
      by,
      fileName: shorten(fileName),
      vendorName: shorten(imported?.vendorName ?? vendorName),
      apiId: imported?.apiId ?? '',
      apiName: shorten(imported?.apiName ?? ''),
      outcome,
    }
    try {
      return await store.addReport(record, MAX_REPORTS)
    } catch (error) {
      logger.log('error', 'import_report_lost', { reason: String(error) })
      return undefined
    }
  }

  return {
    async importDescription(request) {
      const importer = await load()
      let imported: Done
      try {
        imported = await importer(request)
      } catch (error) {
        if (!request.signal?.aborted && !isUnavailable(error)) {
          await keep(request, toFailure(error))
        }
        throw error
      }
      const importId = await keep(request, toOutcome(imported), imported)
      return { ...imported, importId }
    },
    list: (account, request) => store.listReports(account, request),
    async find(account, id) {
      const found = await store.findReport(account, id)
      if (found) return found
      throw new ServiceError('not_found', `There is no import ${id}`)
    },
    latest: () => store.latestImport(),
  }
}
