import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import { createStatementCache } from './kysely/statement-cache.ts'

/** Opens a connection with cached statements, in the form of Kysely's dialect. */
export function openNodeConnection(
  { DatabaseSync }: typeof import('node:sqlite'),
  file: string,
): SqliteDatabase {
  const database = new DatabaseSync(file)
  let isOpen = true
  const statements = createStatementCache<ReturnType<SqliteDatabase['prepare']>>((sql) => {
    const statement = database.prepare(sql)
    return {
      reader: hasRows(statement, sql),
      all: (parameters) => statement.all(...toSqlInput(parameters)),
      run: (parameters) => statement.run(...toSqlInput(parameters)),
      iterate: (parameters) => statement.iterate(...toSqlInput(parameters)),
    }
  })
  return {
    prepare: statements.prepare,
    close: () => {
      // Node has `isOpen` only since 22.15.
      if (!isOpen) return
      isOpen = false
      database.close()
    },
  }
}

/**
 * Returns whether a statement produces rows. Node reports it since 22.16; for older versions it is
 * derived from the SQL text.
 */
function hasRows(statement: Partial<Pick<StatementSync, 'columns'>>, sql: string): boolean {
  if (statement.columns) return statement.columns().length > 0
  return /^\s*(select|with|pragma|explain|values)\b|\breturning\b/i.test(sql)
}

/** The stores bind only strings, numbers, null and bytes (`QueryParameter`). */
function toSqlInput(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
