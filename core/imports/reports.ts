import { ServiceError } from '../http/problems.ts'
import type { ImportOutcome, ImportWarning } from './records.ts'
import type { Imported } from './service.ts'

/** How many reports are kept of an account, and of the operator. */
export const MAX_REPORTS = 1000

/** How many warnings are kept of an import. */
const MAX_KEPT_WARNINGS = 100

/** Characters that are kept of a name, a pointer or a message. */
const MAX_TEXT = 500

/** What is kept of an import that succeeded. */
export function toOutcome({ report }: Pick<Imported, 'report'>): ImportOutcome {
  const { warnings } = report
  const kept = warnings.slice(0, MAX_KEPT_WARNINGS).map(shortenWarning)
  return { kind: 'imported', report: { ...report, warnings: kept }, warningCount: warnings.length }
}

/** What is kept of an import that failed; nothing of the inner workings. */
export function toFailure(error: unknown): ImportOutcome {
  if (!(error instanceof ServiceError) || error.code === 'internal') {
    return { kind: 'failed', code: 'internal', message: 'The service failed', where: '' }
  }
  const { code, message, extra } = error
  return { kind: 'failed', code, message: shorten(message), where: shorten(toWhere(extra)) }
}

/** A text of the length that is kept. */
export function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}

function shortenWarning({ pointer, message }: ImportWarning): ImportWarning {
  return { pointer: shorten(pointer), message: shorten(message) }
}

function toWhere(extra: ServiceError['extra']): string {
  const { line, column, pointer } = extra
  if (typeof line === 'number') {
    return typeof column === 'number' ? `line ${line}, column ${column}` : `line ${line}`
  }
  return typeof pointer === 'string' ? pointer : ''
}
