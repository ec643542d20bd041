import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError, ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Isolate } from '../ports/isolate.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account } from '../shared/account.ts'
import { memoizeLoad } from '../shared/memoize.ts'
import type { Page } from '../shared/pages.ts'
import type { ImportOutcome, ImportReport, ImportWarning, StoredImport } from './records.ts'
import type { ApiSource, ImportStore, ReportRequest } from './store.ts'

export type { ImportReport } from './records.ts'

/** A description to import, with options. */
export interface ImportRequest {
  /**
   * The description: Swagger 2.0, OpenAPI 3.0 to 3.2, or the card of an MCP server or A2A agent, JSON
   * or YAML.
   */
  readonly bytes: Uint8Array
  /** Media type claimed by the client; stored but not used. */
  readonly mediaType?: string | undefined
  /**
   * Default: the description's provider name, else the vendor of its server's host. A domain of a
   * known vendor (`amazonaws.com`) resolves to that vendor.
   */
  readonly vendorName?: string | undefined
  /**
   * Default: the API's current category; for a new API the description's own, else a general one.
   */
  readonly categoryName?: string | undefined
  /** Creates the vendor if it is unknown. By default, an unknown vendor is an error. */
  readonly createVendor?: boolean | undefined
  /**
   * Absolute URL that relative server URLs are resolved against; the vendor's homepage by default.
   */
  readonly baseUrl?: string | undefined
  readonly isPublic: boolean
  /**
   * ISO 3166-1 alpha-2, upper case. Default: those of the API; for a new API those of its vendor.
   */
  readonly countries?: readonly string[] | undefined
  /** The importing account, stored with the report; the operator by default. */
  readonly by?: Account | undefined
  /** File name, stored with the report. */
  readonly fileName?: string | undefined
  /** Warnings about the request itself; reported before those of the description. */
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
  /** ID of the stored report; undefined if it could not be stored. */
  readonly importId: number | undefined
}

type ImportedApi = Omit<Imported, 'importId'>

/** Imports descriptions into the catalogue. */
export interface Imports {
  /**
   * Imports one description in one transaction. An API with the same kind, vendor, folded title and
   * major version is updated in place; importing the same description again changes nothing. Throws
   * `invalid_input` for an unknown vendor or category, and the errors of `readDescription`. After
   * an error nothing is stored, except a newly created vendor. The report is stored in either case:
   * the newest 1,000 per account, with 100 warnings each.
   */
  importDescription(request: ImportRequest): Promise<Imported>
  /**
   * Imports of the account and of the operator, newest first; without an account, only the
   * operator's.
   */
  list(account: Account | undefined, request: ReportRequest): Promise<Page<StoredImport>>
  /** An import that `list` returns for the account; throws `not_found`. */
  get(account: Account | undefined, id: number): Promise<StoredImport>
  /** The description of an API with its original bytes, by numeric ID; undefined without one. */
  findSource(apiId: number): Promise<ApiSource | undefined>
  /** Time of the newest stored successful import of any account; undefined without one. */
  findLatestTime(): Promise<number | undefined>
}

/** Dependencies of imports. */
export interface ImportDeps {
  readonly catalogue: Pick<
    CatalogueStore,
    'findVendor' | 'searchVendors' | 'saveVendor' | 'findApisByName'
  >
  readonly store: ImportStore
  readonly isolate: Isolate | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Maximum size of a description in bytes. */
  readonly maxBytes: number
}

function isStorageUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'storage_unavailable'
}

/** Creates the import service. Loads the code that parses descriptions on first use. */
export function createImports(deps: ImportDeps): Imports {
  const { store, clock, logger } = deps
  const load = memoizeLoad(async () => (await import('./create-importer.ts')).createImporter(deps))

  /** Stores a report. A failure is only logged, as the import itself is already complete. */
  async function storeReport(
    request: ImportRequest,
    outcome: ImportOutcome,
    imported?: ImportedApi,
  ) {
    const { by, fileName = '', vendorName = '' } = request
    const record = {
      at: clock(),
      by,
      fileName: truncateText(fileName),
      vendorName: truncateText(imported?.vendorName ?? vendorName),
      apiId: imported?.apiId ?? '',
      apiName: truncateText(imported?.apiName ?? ''),
      outcome,
    }
    try {
      return await store.addReport(record, MAX_REPORTS)
    } catch (error) {
      // A storage may have no reports.
      const isExpected = error instanceof ServiceError && error.code === 'not_implemented'
      if (!isExpected) logger.log('error', 'import_report_lost', { reason: String(error) })
      return undefined
    }
  }

  return {
    async importDescription(request) {
      const importer = await load()
      let imported: ImportedApi
      try {
        imported = await importer(request)
      } catch (error) {
        if (!request.signal?.aborted && !isStorageUnavailable(error)) {
          await storeReport(request, toFailedOutcome(error))
        }
        throw error
      }
      const importId = await storeReport(request, toImportedOutcome(imported), imported)
      return { ...imported, importId }
    },
    list: (account, request) => store.listReports(account, request),
    async get(account, id) {
      const found = await store.findReport(account, id)
      if (found) return found
      throw createNotFoundError('Import', id)
    },
    findSource: (apiId) => store.findSource(apiId),
    findLatestTime: () => store.findLatestTime(),
  }
}

/** Number of reports stored per account, and for the operator. */
const MAX_REPORTS = 1000

/** Number of warnings stored per import. */
const MAX_STORED_WARNINGS = 100

/** Maximum characters stored of a name, pointer or message. */
const MAX_TEXT = 500

/** Converts a successful import to its stored outcome. */
function toImportedOutcome({ report }: Pick<Imported, 'report'>): ImportOutcome {
  const { warnings } = report
  const kept = warnings.slice(0, MAX_STORED_WARNINGS).map(truncateStoredWarning)
  return { kind: 'imported', report: { ...report, warnings: kept }, warningCount: warnings.length }
}

/** Converts an error to the stored outcome of a failed import, without internal details. */
function toFailedOutcome(error: unknown): ImportOutcome {
  if (!(error instanceof ServiceError) || error.code === 'internal') {
    return { kind: 'failed', code: 'internal', message: 'Internal error', where: '' }
  }
  const { code, message, extra } = error
  return {
    kind: 'failed',
    code,
    message: truncateText(message),
    where: truncateText(formatErrorLocation(extra)),
  }
}

/** Truncates a text to the stored length. */
function truncateText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}

function truncateStoredWarning({ pointer, message }: ImportWarning): ImportWarning {
  return { pointer: truncateText(pointer), message: truncateText(message) }
}

function formatErrorLocation(extra: ServiceError['extra']): string {
  const { line, column, pointer } = extra
  if (typeof line === 'number') {
    return typeof column === 'number' ? `line ${line}, column ${column}` : `line ${line}`
  }
  return typeof pointer === 'string' ? pointer : ''
}
