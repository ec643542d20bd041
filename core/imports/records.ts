import type { Account } from '../shared/account.ts'

/** Reports input that was ignored or interpreted differently. */
export interface ImportWarning {
  /** JSON pointer into the description. */
  readonly pointer: string
  readonly message: string
}

/** The result of an import (contract 4.6). */
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

/** A stored record of an import, successful or failed. */
export interface ImportRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined for the operator, who imports by command line or in process. */
  readonly by: Account | undefined
  /** As named in the request, or empty. */
  readonly fileName: string
  /** As named in the request or in the description; empty if neither is known. */
  readonly vendorName: string
  /** `encrypted_id`; empty if the import failed, like `apiName`. */
  readonly apiId: string
  readonly apiName: string
  readonly outcome: ImportOutcome
}

/** The outcome of an import. */
export type ImportOutcome =
  | {
      readonly kind: 'imported'
      /** Contains at most the first 100 warnings. */
      readonly report: ImportReport
      /** Number of all warnings. */
      readonly warningCount: number
    }
  | {
      readonly kind: 'failed'
      /** Problem code, such as `invalid_description`. */
      readonly code: string
      readonly message: string
      /** `line 3, column 7`, a JSON pointer, or empty. */
      readonly where: string
    }

/** A stored import record; IDs increase with each import. */
export interface StoredImport extends ImportRecord {
  readonly id: number
}
