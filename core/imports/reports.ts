import { ServiceError } from '../http/problems.ts'
import type { Account } from '../shared/account.ts'
import type { ImportWarning } from './read.ts'
import type { Imported, ImportReport } from './service.ts'

/** How many reports are kept of an account, and of the operator. */
export const MAX_REPORTS = 1000

/** How many warnings are kept of an import. */
export const MAX_KEPT_WARNINGS = 100

/** Characters that are kept of a name, a pointer or a message. */
const MAX_TEXT = 500

/** What is kept of an import, whether it succeeded or not. */
export interface ImportRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined for the operator: by command line, or in process. */
  readonly by: Account | undefined
  /** As the importer named it, or empty. */
  readonly fileName: string
  /** As the importer named it, or as it was read; empty where neither is known. */
  readonly vendorName: string
  /** `encrypted_id`; empty where the import failed, as is `apiName`. */
  readonly apiId: string
  readonly apiName: string
  readonly outcome: ImportOutcome
}

/** What came of an import. */
export type ImportOutcome =
  | {
      readonly kind: 'imported'
      /** Its warnings are the first 100. */
      readonly report: ImportReport
      /** All of them. */
      readonly warningCount: number
    }
  | {
      readonly kind: 'failed'
      /** Of the problem: `invalid_description`. */
      readonly code: string
      readonly message: string
      /** `line 3, column 7`, a JSON pointer, or empty. */
      readonly where: string
    }

/** A kept import; ids rise. */
export interface StoredImport extends ImportRecord {
  readonly id: number
}

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
