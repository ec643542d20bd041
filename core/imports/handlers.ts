import { ServiceError } from '../errors.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { Handlers } from '../http/operation.ts'
import type { Caller } from '../shared/account.ts'
import { toPageEnvelope } from '../shared/pages.ts'
import type { importOperations } from './operations.ts'
import type { ImportWarning, StoredImport } from './records.ts'
import type { Imported, ImportReport, Imports } from './service.ts'

/** Creates the handlers of uploads (Specification 4.6) and of the import history. */
export function createImportHandlers(deps: {
  readonly imports: Imports
  readonly policies: Pick<GatewayStore, 'findPolicy'>
}): Handlers<typeof importOperations> {
  /**
   * Rejects keys whose policy lists vendors or APIs. Such a policy binds the key to the hosts in
   * their descriptions, and an import could change those hosts.
   */
  async function checkKeyPolicy({ account, keyId }: Pick<Caller, 'account' | 'keyId'>) {
    const policy = keyId === undefined ? undefined : await deps.policies.findPolicy(account, keyId)
    if (policy?.vendorIds === undefined && policy?.apiIds === undefined) return
    throw new ServiceError(
      'call_not_permitted',
      'Cannot import the description: the policy of the key lists vendors or APIs. Use a key without such a policy',
    )
  }

  return {
    uploadDescription: async (input, { account, keyId, signal }) => {
      await checkKeyPolicy({ account, keyId })
      const { unknownFields = [] } = input.file
      const ignored = unknownFields.map((name) => ({
        pointer: '',
        message: `Unknown form field "${name}" was ignored`,
      }))
      const importing = deps.imports.importDescription({
        bytes: input.file.bytes,
        mediaType: input.file.mediaType,
        vendorName: input.vendor,
        categoryName: input.category,
        baseUrl: input.base_url,
        isPublic: !input.private,
        countries: parseCountries(input.countries),
        by: account,
        fileName: input.file.filename,
        warnings: ignored,
        signal,
      })
      const imported = await importing.catch((error: unknown) => {
        throw error instanceof ServiceError ? addHints(error, ignored) : error
      })
      const { report } = imported
      return {
        info: summariseReport(imported),
        result: 'Success',
        api_id: imported.apiId,
        report: { ...report, warnings: report.warnings.map((warning) => ({ ...warning })) },
      }
    },

    listImports: async ({ size, page }, { account }) => {
      const request = { size, page }
      const { items, total } = await deps.imports.list(account, request)
      return { ...toPageEnvelope(total, request), imports: items.map(toImportWire) }
    },
  }
}

function toImportWire(stored: StoredImport) {
  const { outcome } = stored
  const isImported = outcome.kind === 'imported'
  return {
    id: stored.id,
    imported_at: new Date(stored.at).toISOString(),
    imported_by: stored.by?.name ?? null,
    file_name: stored.fileName,
    vendor_name: stored.vendorName,
    api_id: isImported ? stored.apiId : null,
    api_name: isImported ? stored.apiName : null,
    state: outcome.kind,
    report: isImported
      ? {
          ...outcome.report,
          warnings: outcome.report.warnings.map((warning) => ({ ...warning })),
          num_warnings: outcome.warningCount,
        }
      : null,
    failure: isImported
      ? null
      : { code: outcome.code, message: outcome.message, where: outcome.where },
  }
}

/**
 * Adds hints to an upload error: how to create an unknown vendor, and which fields were ignored.
 */
function addHints(error: ServiceError, ignored: readonly ImportWarning[]): ServiceError {
  const { code, message, issues, extra, retryAfter, headers } = error
  const hints = ignored.map((warning) => warning.message)
  if (extra.unknown_vendor !== undefined) {
    hints.push('Create the vendor first: POST /vendors (on the command line: --create-vendors)')
  }
  if (hints.length === 0) return error
  return new ServiceError(code, [message, ...hints].join('. '), {
    issues,
    extra,
    headers,
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

/** Summarises skipped operations and warnings (Specification 4.6); empty if there are none. */
function summariseReport({ report }: Imported): string {
  const parts = [
    report.skipped > 0 ? describeSkipped(report) : '',
    report.warnings.length > 0 ? describeWarnings(report) : '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

function describeSkipped({ skipped }: ImportReport): string {
  return skipped === 1 ? '1 operation was skipped' : `${skipped} operations were skipped`
}

function describeWarnings({ warnings }: ImportReport): string {
  const [first] = warnings
  const count = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`
  return `${count}, first at ${first?.pointer || '/'}: ${first?.message}`
}

function parseCountries(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const codes = text.split(',').map((code) => code.trim().toUpperCase())
  if (codes.every((code) => /^[A-Z]{2}$/.test(code))) return codes
  const message = 'must be ISO 3166-1 alpha-2 codes, separated by commas'
  throw new ServiceError('invalid_input', `countries ${message}`, {
    issues: [{ in: 'form', name: 'countries', message }],
  })
}
