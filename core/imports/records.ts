import type { Account } from '../shared/account.ts'

/** Something that was read differently than written, or not at all. */
export interface ImportWarning {
  /** JSON pointer into the description. */
  readonly pointer: string
  readonly message: string
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
