import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

/** One step of the schema. Frozen once released; imports nothing that may change. */
export interface Migration {
  readonly name: string
  /** Runs in one transaction with the version row. */
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
}

/** The engine's names for the types of columns. */
export interface ColumnTypes {
  /** For what only one of the engines has. */
  readonly kind: 'sqlite' | 'postgres'
  /** 53-bit integers: ids, times, digests. */
  readonly integer: 'integer' | 'bigint'
  /** 0 or 1, or another small number. */
  readonly small: 'integer' | 'smallint'
  readonly real: 'real' | 'double precision'
  /** Compared by code point. */
  readonly text: RawBuilder<string>
  readonly bytes: 'blob' | 'bytea'
  /** Adds a primary key `position` that the database counts up and never gives twice. */
  addPosition<Table extends string>(
    table: CreateTableBuilder<Table>,
  ): CreateTableBuilder<Table, 'position'>
  /** Ends a table that is read by its primary key only. */
  readonly keyed: RawBuilder<unknown>
}
