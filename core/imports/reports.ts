import { ServiceError } from '../http/problems.ts'
import type { ImportOutcome, ImportWarning } from './records.ts'
import type { Imported } from './service.ts'

/** Number of reports stored per account, and for the operator. */
export const MAX_REPORTS = 1000

/** Number of warnings stored per import. */
const MAX_STORED_WARNINGS = 100

/** Maximum characters stored of a name, pointer or message. */
const MAX_TEXT = 500

/** Converts a successful import to its stored outcome. */
export function toImportedOutcome({ report }: Pick<Imported, 'report'>): ImportOutcome {
  const { warnings } = report
  const kept = warnings.slice(0, MAX_STORED_WARNINGS).map(truncateStoredWarning)
  return { kind: 'imported', report: { ...report, warnings: kept }, warningCount: warnings.length }
}

/** Converts an error to the stored outcome of a failed import, without internal details. */
export function toFailedOutcome(error: unknown): ImportOutcome {
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
export function truncateText(text: string): string {
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
