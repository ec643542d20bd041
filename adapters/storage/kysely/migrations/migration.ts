import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

/** One step of the schema. Frozen once released: it imports nothing that may change. */
export interface Migration {
  readonly name: string
  /** Runs in one transaction with the version row. */
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
}

/** Column types of the engine. */
export interface ColumnTypes {
  /** For features of only one engine. */
  readonly kind: 'sqlite' | 'postgres'
  /** 53-bit integers: IDs, times, digests. */
  readonly integer: 'integer' | 'bigint'
  /** 0 or 1, or another small number. */
  readonly small: 'integer' | 'smallint'
  readonly real: 'real' | 'double precision'
  /** Compared by code point. */
  readonly text: RawBuilder<string>
  readonly bytes: 'blob' | 'bytea'
  /** Adds a primary key `position` that the database increments and never reuses. */
  addPosition<Table extends string>(
    table: CreateTableBuilder<Table>,
  ): CreateTableBuilder<Table, 'position'>
  /** Table option for tables that are read only by primary key. */
  readonly keyed: RawBuilder<unknown>
}
