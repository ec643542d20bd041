import type { Handlers } from '../http/operation.ts'
import { ServiceError } from '../http/problems.ts'
import type { importOperations } from './operations.ts'
import type { Imported, ImportReport, Imports } from './service.ts'

/** Creates the handler of the upload (Specification 4.6). */
export function createImportHandlers(deps: {
  readonly imports: Imports
}): Handlers<typeof importOperations> {
  return {
    uploadDescription: async (input, { signal }) => {
      const imported = await deps.imports.importDescription({
        bytes: input.file.bytes,
        mediaType: input.file.mediaType,
        vendorName: input.vendor,
        categoryName: input.category,
        baseUrl: input.base_url,
        isPublic: !input.private,
        countries: parseCountries(input.countries),
        signal,
      })
      const { report } = imported
      return {
        info: describe(imported),
        result: 'Success',
        api_id: imported.apiId,
        report: { ...report, warnings: report.warnings.map((warning) => ({ ...warning })) },
      }
    },
  }
}

/** Empty when everything was understood (Specification 4.6), else what was not. */
function describe({ report }: Imported): string {
  const parts = [
    report.skipped > 0 ? toSkippedText(report) : '',
    report.warnings.length > 0 ? toWarningText(report) : '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

function toSkippedText({ skipped }: ImportReport): string {
  return skipped === 1 ? '1 operation was skipped' : `${skipped} operations were skipped`
}

function toWarningText({ warnings }: ImportReport): string {
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
